import { journeys } from '../../../sandbox/cli/integration-check/journeys.js';
import { actions, groups } from '../../../sandbox/control-api/actions/all.js';
import { prefix } from '../../../sandbox/http/control-paths.js';
import { scenarios } from '../../../sandbox/scenarios/all.js';
import { statusRanks } from '../../../src/contract/events.js';
import { operations } from '../../../src/contract/index.js';
import { ownAllowances, sdkChecks } from '../../../src/contract/sdk-checks.js';
import { type AssumedName, assumedBy, assumedNames } from '../assumed.js';
import { code, table } from '../markdown.js';
import { methodsOverview } from '../reference/methods-page.js';
import { optionsOverview } from '../reference/options-page.js';
import type { AnyOperation } from '../schemas.js';
import { inLanguage, type Language, type Words } from '../words.js';
import { headingTable } from './api-document.js';
import { commandHelps } from './command.js';
import { defaultTables } from './defaults.js';
import { eventBodies } from './events.js';
import { messageTables } from './messages.js';
import { operationFailures, operationSections } from './operations.js';
import { retryTable } from './retries.js';

const places: Words<Readonly<Record<AssumedName['in'][number], string>>> = {
  en: {
    request: 'request body',
    query: 'query',
    response: 'response body',
    notification: 'notifications',
    'response-header': 'response header',
  },
  pt: {
    request: 'corpo da requisição',
    query: 'query',
    response: 'corpo da resposta',
    notification: 'notificações',
    'response-header': 'cabeçalho da resposta',
  },
};

/** Lists the operations that use a name, with the parts that contain it. */
function findUsers({ key, in: parts }: AssumedName, language: Language): string {
  const all: readonly AnyOperation[] = operations;
  const users = all.filter((operation) => assumedBy(operation).some((name) => name.key === key));
  const { of, every } = {
    en: { of: 'of', every: 'every operation' },
    pt: { of: 'de', every: 'todas as operações' },
  }[language];
  const listed = users.map(({ id }) => code(id)).join(', ');
  return `${parts.map((part) => places[language][part]).join(', ')} ${of} ${listed || every}`;
}

const nameTable = (language: Language): string[][] => [
  {
    en: ['Key', 'Property', 'On the wire', 'Where', 'Reason'],
    pt: ['Chave', 'Propriedade', 'Na rede', 'Onde', 'Motivo'],
  }[language],
  ...assumedNames.map((name) => [
    code(name.key),
    code(name.property),
    code(name.wire),
    findUsers(name, language),
    inLanguage(language, `fieldNames.${name.key}`, name.reason).replaceAll('|', '\\|'),
  ]),
];

const checkList = (language: Language): string =>
  Object.entries(sdkChecks)
    .map(([name, reason]) => `- **\`${name}\`**: ${inLanguage(language, `checks.${name}`, reason)}\n`)
    .join('');

function allowanceList(language: Language): string {
  const say = (key: string, text: string) => inLanguage(language, `allowances.${key}`, text);
  return Object.entries(ownAllowances)
    .map(([name, reason]) => `- **${say(`${name}.name`, name)}**: ${say(name, reason)}\n`)
    .join('');
}

/** Lists the actions of the control API. An optional field ends in a question mark. */
function actionSections(language: Language): string {
  const titles = { en: ['Request', 'Fields', 'Effect'], pt: ['Requisição', 'Campos', 'Efeito'] }[language];
  const sections = Object.entries(groups).map(([group, about]) => {
    const rows = actions
      .filter(({ id }) => id.startsWith(`${group}.`))
      .map(({ id, method, path, body = {}, query = {}, summary }) => [
        code(`${method} ${prefix}${path}`),
        Object.entries({ ...query, ...body })
          .map(([name, { isRequired }]) => code(isRequired ? name : `${name}?`))
          .join(', '),
        inLanguage(language, `control.${id}`, summary),
      ]);
    return `## ${inLanguage(language, `control.${group}`, about)}\n\n${table([titles, ...rows])}`;
  });
  return sections.join('\n');
}

/** Lists the test values of the sandbox, by operation and field. */
function scenarioSections(language: Language): string {
  const titles = { en: ['Value', 'Result', 'Constant'], pt: ['Valor', 'Resultado', 'Constante'] }[language];
  const sections = new Map<string, string[][]>();
  for (const { id, operation, field, value, leadsTo, constant } of scenarios) {
    const rows = sections.get(`${operation}: ${field}`) ?? [titles];
    sections.set(`${operation}: ${field}`, rows);
    rows.push([code(value), inLanguage(language, `scenarios.${id}`, leadsTo), code(constant)]);
  }
  return Array.from(sections, ([title, rows]) => `## ${title}\n\n${table(rows)}`).join('\n');
}

/** Lists the statuses of a payment, with those that are older. */
function orderTable(language: Language): string[][] {
  const list = (isListed: (rank: number) => boolean) =>
    Object.entries(statusRanks)
      .filter(([, rank]) => isListed(rank))
      .map(([status]) => code(status))
      .join(', ');
  const rows = [...new Set(Object.values(statusRanks))].map((own) => [
    list((rank) => rank === own),
    list((rank) => rank < own) || { en: 'none', pt: 'nenhum' }[language],
  ]);
  return [{ en: ['after', 'these are older'], pt: ['Depois de', 'São mais antigos'] }[language], ...rows];
}

const journeyTable = (language: Language): string[][] => [
  { en: ['Journey', 'What holds for a right shop'], pt: ['Jornada', 'O que vale em uma loja certa'] }[
    language
  ],
  ...journeys.map(({ name, expected }) => [code(name), inLanguage(language, `journeys.${name}`, expected)]),
];

/**
 * The generated tables and parts of pages, by the name in their comments. A table consists of its titles and rows. A
 * part is Markdown.
 */
export const tables: Readonly<Record<string, (language: Language) => string[][] | string>> = {
  'api.headings': headingTable,
  'assumptions.allowances': allowanceList,
  'assumptions.checks': checkList,
  'assumptions.names': nameTable,
  'command.helps': commandHelps,
  'control.actions': actionSections,
  ...defaultTables,
  ...eventBodies,
  ...messageTables,
  'methods.overview': methodsOverview,
  'operations.failures': operationFailures,
  'operations.methods': operationSections,
  'options.overview': optionsOverview,
  'payments.failures': retryTable,
  'receiver.order': orderTable,
  'scenarios.values': scenarioSections,
  'shop.journeys': journeyTable,
};
