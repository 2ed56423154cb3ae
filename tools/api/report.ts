import type { Item, PublicApi } from './face.js';

/** Checks whether a declaration exists at run time. */
const isDeclaredValue = (text: string) => /^(abstract class|class|const|enum|function|let) /m.test(text);

const section = ({ name, text }: Item) => `### ${name}\n\n\`\`\`ts\n${text}\n\`\`\`\n`;

const asTypeOnly = ', as a type';

const exportedSection = (item: Item) =>
  section(
    isDeclaredValue(item.text) && !item.isValue ? { ...item, name: `${item.name}${asTypeOnly}` } : item,
  );

const exportedHeading = '## Exported';
const elsewhereHeading = '## Exported here as well';
const unexportedHeading = '## Types that are used but not exported';

/** Says whether an entry point has a separate file for Workers and browsers. */
export const inWorkers = (hasVariant: boolean) =>
  hasVariant
    ? 'In Workers and browsers: another file, with the same names and types.'
    : 'In Workers and browsers: no file of its own.';

/** Writes a report as it is kept in the repository. */
export function formatReport(publicApi: PublicApi, where: string): string {
  const elsewhere = publicApi.elsewhere.map(
    ({ name, specifier, isValue }) => `- ${isValue ? 'value' : 'type'} ${name}: see ${specifier}\n`,
  );
  return [
    `<!-- Written by npm run generate. -->\n\n# ${publicApi.specifier}\n\n${where}\n`,
    `${exportedHeading}\n`,
    ...publicApi.exported.map(exportedSection),
    ...(elsewhere.length > 0 ? [`${elsewhereHeading}\n`, elsewhere.join('')] : []),
    ...(publicApi.unexported.length > 0
      ? [`${unexportedHeading}\n`, ...publicApi.unexported.map(section)]
      : []),
  ].join('\n');
}

/** A name in a report. */
export interface Entry {
  readonly name: string;
  readonly text: string;
  readonly isExported: boolean;
  readonly isValue: boolean;
}

const entriesIn = (part: string, isExported: boolean): Entry[] =>
  [...part.matchAll(/^### (.+)\n\n```ts\n([\s\S]*?)\n```$/gm)].map(([, heading = '', text = '']) => ({
    name: heading.replace(asTypeOnly, ''),
    text: heading.endsWith(asTypeOnly) ? `type only\n${text}` : text,
    isExported,
    isValue: isDeclaredValue(text) && !heading.endsWith(asTypeOnly),
  }));

/** Reads a report. */
export function parsedReport(report: string): Entry[] {
  const [exported = '', unexported = ''] = report.split(`${unexportedHeading}\n`);
  const elsewhere = [...exported.matchAll(/^- (value|type) (\w+): (see .+)$/gm)];
  return [
    ...entriesIn(exported, true),
    ...elsewhere.map(([, kind, name = '', text = '']) => ({
      name,
      text,
      isExported: true,
      isValue: kind === 'value',
    })),
    ...entriesIn(unexported, false),
  ];
}

/** Lists the names that exist at run time, sorted. */
export const valuesIn = (report: string): string[] =>
  parsedReport(report)
    .filter(({ isExported, isValue }) => isExported && isValue)
    .map(({ name }) => name)
    .sort();
