import { type ParamKind, paramForms } from '../../contract/operation.js';
import { missingValue, typeName } from '../../contract/patterns.js';
import { type Issue, Parsed } from '../../validation/issue.js';
import { awaitItFirst, isPromise, isRecord } from '../../validation/record.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const unsafe = /[\x00-\x1f\x7f/\\%]/;
const loneSurrogate = /\p{Surrogate}/u;

/** Explains why a value cannot be a path segment, because it could address another resource. */
function segmentProblem(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : 'must be an integer';
  if (typeof value !== 'string') return `must be a string, not ${typeName(value)}`;
  if (value.trim() === '') return 'must not be empty';
  if (missingValue(value) === value) return `is the string ${value}. A value was missing when it was built`;
  if (value === '.' || value === '..') return 'must not be a relative path';
  if (unsafe.test(value)) return 'must not contain slashes, percent signs or control characters';
  if (loneSurrogate.test(value)) return 'must not contain a lone surrogate';
  return undefined;
}

function paramProblem(kind: ParamKind, value: unknown): string | undefined {
  if (isPromise(value)) return awaitItFirst;
  if (isRecord(value)) return 'must be a string, not an object. Pass a string as the first argument';
  if (kind === 'text') return segmentProblem(value);
  if (value === undefined) return 'is required';
  if (kind === 'integer') {
    const isDigits = typeof value === 'string' && paramForms.integer.test(value);
    return Number.isSafeInteger(value) || isDigits ? undefined : 'must be an integer';
  }
  if (typeof value !== 'string') return `must be a string, not ${typeName(value)}`;
  return paramForms.uuid.test(value) ? undefined : 'must be a UUID';
}

export function fillPath(
  template: string,
  kinds: Readonly<Record<string, ParamKind>> = {},
  params: Readonly<Record<string, unknown>>,
): Parsed<string> {
  const issues: Issue[] = [];
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    const message = paramProblem(kinds[name] ?? 'text', value);
    if (message === undefined) return encodeURIComponent(String(value));
    issues.push({ path: name, message });
    return '';
  });
  return new Parsed(path, issues);
}

/** Matches the characters that RFC 3986 allows in a path. A caller's path is never encoded or normalised. */
const plainPath = /^\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const relativeSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

function pathProblem(path: unknown): string | undefined {
  if (typeof path !== 'string' || !path.startsWith('/'))
    return 'must be a string that starts with /, relative to the base address';
  if (/[?#]/.test(path)) return 'must not contain a query or a fragment. Use query';
  const isPlain = plainPath.test(path) && !relativeSegment.test(path);
  if (!isPlain || path.includes('//') || /%(00|2f|5c)/i.test(path))
    return 'must be a plain path without empty, relative or unencoded segments';
  return undefined;
}

export function checkRequestPath(path: unknown): Parsed<string> {
  const message = pathProblem(path);
  return message === undefined ? new Parsed(path as string) : new Parsed('/', [{ path: 'path', message }]);
}

export const maxQueryEntries = 1_000;

export function queryString(query: unknown): Parsed<string> {
  if (!isRecord(query)) return new Parsed('', [{ path: 'query', message: 'must be an object' }]);
  const issues: Issue[] = [];
  const search = new URLSearchParams();
  const entries = Object.entries(query);
  if (entries.length > maxQueryEntries)
    return new Parsed('', [{ path: 'query', message: `has more than ${maxQueryEntries} names` }]);
  for (const [name, value] of entries) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.length > maxQueryEntries)
      issues.push({ path: `query.${name}`, message: `has more than ${maxQueryEntries} entries` });
    else
      for (const entry of values) {
        if (loneSurrogate.test(`${name}${String(entry)}`))
          issues.push({ path: 'query', message: 'must not contain a lone surrogate' });
        else if (typeof entry === 'string' || typeof entry === 'boolean' || typeof entry === 'number')
          search.append(name, String(entry));
        else
          issues.push({ path: `query.${name}`, message: 'must be a string, a finite number or a boolean' });
      }
  }
  const text = search.toString();
  return new Parsed(text === '' ? '' : `?${text}`, issues);
}
