import { Failure } from './failure.js';
import { oneLine } from './printable.js';

export function httpUrl(option: string, value: string): string {
  if (/^https?:\/\/[^\s/\\\p{C}][^\s\\\p{C}]*$/iu.test(value) && URL.canParse(value)) {
    const { username, password } = new URL(value);
    if (username === '' && password === '') return value;
    throw new Failure(`${option} must have no user and password.`);
  }
  const scheme = isOnThisMachine(value) ? 'http' : 'https';
  const corrected = `${scheme}://${value}`;
  const hint =
    !value.includes('://') && value !== '' && URL.canParse(corrected)
      ? ` It has no scheme: write ${option} ${corrected}`
      : '';
  throw new Failure(
    `${option} must be an http or https URL, not '${value.replace(/\/\/.*@/s, '//…@')}'.${hint}`,
  );
}

/** The query can contain a secret. */
export const shownUrl = (url: string): string => oneLine(url.replace(/[?#].*/s, '?…'));

const isOnThisMachine = (value: string) => /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(value);

export const isLoopbackUrl = (url: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

/**
 * Checks that a URL leads to this machine, so that no text that an agent reads can make it send data elsewhere.
 *
 * @throws Error that names the argument
 */
export function requireThisMachine(name: string, url: string): void {
  if (!isLoopbackUrl(httpUrl(name, url)))
    throw new Error(`${name} must be on this machine, such as http://localhost:3000/webhooks.`);
}
