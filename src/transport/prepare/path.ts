import { missingValue } from '../../contract/patterns.js';
import type { Issue } from '../../errors/usage.js';
import { isRecord } from '../../input/record.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unsafe = /[\x00-\x1f\x7f/\\%]/;
const loneSurrogate = /\p{Surrogate}/u;

/** Says why a value cannot be a path segment: it could lead to another resource than the one meant. */
function segmentProblem(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : 'must be an integer';
  if (typeof value !== 'string') return `must be a string, not ${value === null ? 'null' : typeof value}`;
  if (value.trim() === '') return 'must not be empty';
  if (missingValue(value) === value) return `is the text ${value}: a value was missing when it was made`;
  if (value === '.' || value === '..') return 'must not be a relative path';
  if (unsafe.test(value)) return 'must not contain slashes, percent signs or control characters';
  if (loneSurrogate.test(value)) return 'must not contain half of a surrogate pair';
  return undefined;
}

/** Fills a path template. The only way an id gets into a path. */
export function fillPath(
  template: string,
  params: Readonly<Record<string, unknown>>,
  issues: Issue[],
): string {
  if (!template.includes('{')) return template;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    const problem = segmentProblem(value);
    if (problem === undefined) return encodeURIComponent(String(value));
    if (!issues.some(({ path }) => path === name)) issues.push({ path: name, message: problem });
    return '';
  });
}

/** What RFC 3986 allows in a path, written out: nothing is encoded or normalised behind the caller's back. */
const plainPath = /^\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const relative = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** Checks a path that the caller wrote out, for `platform.request`. */
export function checkPath(path: unknown, issues: Issue[]): string {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    issues.push({
      path: 'path',
      message: 'must be a string that starts with /, relative to the base address',
    });
  } else if (/[?#]/.test(path)) {
    issues.push({ path: 'path', message: 'must not carry a query or a fragment: use query' });
  } else if (
    !plainPath.test(path) ||
    relative.test(path) ||
    path.includes('//') ||
    /%(00|2f|5c)/i.test(path)
  ) {
    issues.push({
      path: 'path',
      message: 'must be a plain path without empty, relative or unencoded segments',
    });
  } else {
    return path;
  }
  return '/';
}

/** `?name=value&…`, or nothing. Undefined values are left out; an array repeats its name. */
export function queryString(query: unknown, issues: Issue[]): string {
  if (query === undefined) return '';
  if (!isRecord(query)) {
    issues.push({ path: 'query', message: 'must be an object' });
    return '';
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === undefined) continue;
      if (typeof entry === 'string' || typeof entry === 'boolean' || Number.isFinite(entry))
        search.append(name, String(entry));
      else issues.push({ path: `query.${name}`, message: 'must be a string, a finite number or a boolean' });
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
