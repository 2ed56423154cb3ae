export { table } from '../table.mjs';

export const code = (text: string) => `\`${text}\``;

/** Builds a heading's anchor, as the site does for plain headings. */
export const slug = (heading: string) =>
  heading.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('.', '-').replaceAll(' ', '-');

/** Cuts a paragraph after its first full stop or colon. */
export const firstSentence = (text: string) => (text.split(/(?<=[.:])\s/)[0] ?? '').replace(/:$/, '.');

/** The place of the site's filter for the entries of a page. Elsewhere, the comment is invisible. */
export const filter = '<!-- filter -->\n';
