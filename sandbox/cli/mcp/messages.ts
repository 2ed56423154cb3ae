import { readPage, splitPage } from './pages.js';

/** The maximum number of messages and sections in an explanation. */
const longestList = 4;

interface Message {
  /** The message with `{name}` for values. */
  readonly text: string;
  readonly remedy: string | undefined;
}

/** What to do after an unknown outcome. */
const retryRule =
  'If the outcome is `unknown`, retry with the same idempotency key: a new key can charge twice. A call without a key, such as a withdrawal, must not be repeated, because it can pay out twice: ask the platform first (reliability.md).';

/** Explains a message or a code with the pages of errors and messages. */
export function explainMessage(docs: string, error: string): string {
  const errors = splitPage('errors.md', readPage(docs, 'errors', 'en'));
  // A section begins with the error's code and status. A message has the status in parentheses.
  const [status] = /(?<=\()\d{3}(?=\))/.exec(error) ?? [];
  const named = errors.filter(({ title, text }) => {
    const [first = ''] = text.split('\n', 1);
    const codes = Array.from(first.matchAll(/`([a-z_]+)`/g), ([, code = '']) => code);
    const isOfStatus = status !== undefined && codes.length > 0 && mentions(first, status);
    return isOfStatus || [title.replace(/^.*: /, ''), ...codes].some((name) => mentions(error, name));
  });
  const messages = listMessages(readPage(docs, 'messages', 'en'))
    .filter(({ text }) => matches(text, error))
    .toSorted((one, other) => other.text.length - one.text.length)
    .slice(0, longestList);
  if (named.length + messages.length === 0)
    return (
      'No message of the package is like this. If the platform or another library wrote it, look at `error.outcome`: `not-executed` means that nothing happened, and `unknown` that it may have. search_docs may find more.\n\n' +
      retryRule
    );
  return [
    ...messages.map(
      ({ text, remedy }) => `- Message: ${text}${remedy === undefined ? '' : `\n  What to do: ${remedy}`}`,
    ),
    ...named.slice(0, longestList).map(({ title, text }) => `## ${title}\n\n${text}`),
    retryRule,
  ].join('\n\n');
}

const mentions = (error: string, word: string) => new RegExp(`\\b${word}\\b`).test(error);

/** Reads the rows and bullets of the page of messages. */
function listMessages(page: string): Message[] {
  return page.split('\n').flatMap((line) => {
    const [, text = '', , remedy] = /^(?:\||-) `(.+?)`\s*(\| (.+?)\s*\|)?$/.exec(line) ?? [];
    return text === '' ? [] : [{ text, remedy: remedy?.replace(/\\(?=\W|_)/g, '') }];
  });
}

/** Checks whether a message with values is an instance of a template, which can be a part of it. */
function matches(template: string, message: string): boolean {
  const fixed = template.split(/\{[^}]*\}|…/);
  // Short templates, such as `too many values`, match only as they stand.
  if (fixed.join('').trim().length < 12) return false;
  let at = 0;
  for (const part of fixed) {
    const next = message.indexOf(part.trim().replace(/\.$/, ''), at);
    if (next < 0) return false;
    at = next + part.trim().length;
  }
  return true;
}
