// Derives the table of docs/upgrades.md and `engines` from tools/support.json, and finds the Node versions
// whose support has ended.
import { table } from '../table.mjs';

/**
 * @typedef {object} Support The content of tools/support.json.
 * @property {number} monthsAfterTheEnd
 * @property {readonly { readonly line: number, readonly tried: string, readonly end: string }[]} node
 * @property {Readonly<Record<string, readonly string[]>>} others
 */

/** Returns the same day some months later. */
function later(date, months) {
  const [year, month, day] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, day)).toISOString().slice(0, 10);
}

/**
 * Lists the Node versions, each with its last supported day.
 *
 * @param {Support} support
 */
export const windows = ({ node, monthsAfterTheEnd }) =>
  node.map((each) => ({ ...each, until: later(each.end, monthsAfterTheEnd) }));

/**
 * Returns package.json's `engines`.
 *
 * @param {Support} support
 */
export const toEngines = ({ node }) => ({ node: `>=${node[0].line}` });

const heads = {
  en: ['Runtime', 'Versions', 'Maintained by its project until', 'Supported here until'],
  pt: ['Ambiente', 'Versões', 'Suporte do próprio projeto até', 'Suporte neste pacote até'],
};
const newest = { en: 'this table lists a newer version', pt: 'esta tabela listar uma versão mais nova' };

/** Writes the page's table in a language. */
export function supportTable(support, language) {
  const rows = [
    ...windows(support).map(({ line, tried, end, until }) => [`Node ${line}`, tried, end, until]),
    ...Object.entries(support.others).map(([name, versions]) => [
      name,
      versions.join(', '),
      '',
      newest[language],
    ]),
  ];
  return table([heads[language], ...rows]).trimEnd();
}

/** Reports Node lines whose support window has ended, and that a release cannot support any more. */
export const endedWindows = (support, today) =>
  windows(support)
    .filter(({ until }) => until < today)
    .map(
      ({ line, until }) =>
        `Node ${line} was supported until ${until}: take it out of tools/support.json and raise engines.`,
    );
