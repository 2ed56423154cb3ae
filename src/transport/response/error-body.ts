import type { ErrorBody } from '../../errors/base.js';
import type { MessageRedactor } from '../../redact/message-redactor.js';
import { isRecord } from '../../validation/record.js';

interface FieldProblem {
  readonly path: string;
  readonly message?: string | undefined;
}

interface ErrorFields {
  readonly body: ErrorBody | undefined;
  readonly said: string;
  readonly isPage: boolean;
}

const maxFields = 10;
const maxEntries = 200;

const messageNames = 'message mensagem detail error_description description descricao title msg erro'.split(
  ' ',
);
const listNames = 'issues errors erros details fields violations invalidParams invalid-params message'.split(
  ' ',
);
const fieldNames = 'path field campo property param parameter pointer name loc'.split(' ');
const entryMessages = [...messageNames, 'reason'];

/** `items.0.unitPrice`, `items[0].unitPrice`, `/items/0`, `#/items/0`. */
const pathPattern = /^[\w$./#[\]-]{1,100}$/;

/** The shape is undocumented, so common shapes are tried. */
export function readErrorFields(raw: unknown, mayBePage: boolean, redactor: MessageRedactor): ErrorFields {
  const isPage = typeof raw === 'string' && mayBePage;
  const code = readErrorCode(raw);
  const problems = readProblems(raw, redactor);
  const value = isPage ? pageTitle(raw) : isFilled(raw) ? raw : findFilled(raw, messageNames);
  const message =
    value === undefined
      ? joinMessages(problems) || redactor.show(errorString(raw))
      : redactor.show(String(value).trim());
  const fields = [...new Set(problems.map(({ path }) => path).filter((path) => path !== ''))];
  const body: ErrorBody = {
    ...(/^[\x21-\x7e]{1,100}$/.test(code) && redactor.isSafe(code) && { code }),
    ...(message !== '' && { message }),
    ...(fields.length > 0 && { fields }),
  };
  return {
    body: Object.keys(body).length === 0 ? undefined : body,
    said: isPage && message !== '' ? quote('page', message) : quoteFields(raw, message, fields, problems),
    isPage,
  };
}

export const readErrorCode = (raw: unknown): string =>
  String(findFilled(raw, ['code', 'codigo', 'type']) ?? '');

function findFilled(raw: unknown, names: readonly string[]): string | number | undefined {
  const holders = isRecord(raw) ? [ownValue(raw, 'error'), ownValue(raw, 'erro'), raw].filter(isRecord) : [];
  return holders.flatMap((holder) => names.map((name) => ownValue(holder, name))).find(isFilled);
}

const quote = (who: string, message: string): string =>
  `The ${who} says: "${message}"${/[.!?…]$/.test(message) ? '' : '.'}`;

/** If the body is a string instead of JSON, a gateway may have written it. */
function quoteFields(
  raw: unknown,
  message: string,
  fields: readonly string[],
  problems: readonly FieldProblem[],
): string {
  const about = (field: string) => {
    const said = problems.find(({ path }) => path === field)?.message;
    return said === undefined || message.includes(said) ? field : `${field} ("${said}")`;
  };
  return [
    message === '' ? '' : quote(typeof raw === 'string' ? 'response' : 'platform', message),
    fields.length === 0 ? '' : `Fields: ${fields.map(about).join(', ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const isFilled = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

/** Reads the string in `error`, such as `invalid_client`, which many servers send. */
const errorString = (raw: unknown) => (isRecord(raw) && isFilled(raw.error) ? String(raw.error).trim() : '');

const joinMessages = (problems: readonly FieldProblem[]): string =>
  problems
    .map(({ message = '' }) => message)
    .filter((message) => message !== '')
    .slice(0, 3)
    .join('; ');

/** A path that contains a value of the call is left out. */
function readProblems(raw: unknown, redactor: MessageRedactor): FieldProblem[] {
  if (!isRecord(raw)) return [];
  const holders = [raw, ownValue(raw, 'error'), ownValue(raw, 'erro')].filter(isRecord);
  const lists = holders.flatMap((holder) => listNames.map((name) => ownValue(holder, name)));
  const problems = [...lists, Array.isArray(raw.error) ? raw.error : undefined].flatMap(problemsIn);
  const fields = problems.map(({ path, message }) => ({
    path: pathPattern.test(path) && redactor.isSafe(path) ? path : '',
    message: message === undefined ? undefined : redactor.show(message.trim()),
  }));
  const isNew = ({ path }: FieldProblem, index: number) =>
    path === '' || fields.findIndex((other) => other.path === path) === index;
  return fields.filter(isNew).slice(0, maxFields);
}

function problemsIn(list: unknown): FieldProblem[] {
  if (Array.isArray(list))
    return list.slice(0, maxEntries).flatMap((entry) => {
      if (typeof entry === 'string') return [{ path: '', message: entry }];
      if (!isRecord(entry)) return [];
      const path = fieldNames.map((name) => pathText(ownValue(entry, name))).find(isFilled) ?? '';
      const message = entryMessages.map((name) => ownValue(entry, name)).find(isFilled);
      return path === '' && message === undefined
        ? []
        : [{ path, message: message === undefined ? undefined : String(message) }];
    });
  if (!isRecord(list)) return [];
  return Object.entries(list)
    .slice(0, maxEntries)
    .flatMap(([path, value]) => {
      const message = Array.isArray(value) ? value[0] : value;
      return typeof message === 'string' ? [{ path, message }] : [];
    });
}

const ownValue = (entry: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(entry, name) ? entry[name] : undefined;

/** A path can be a list of names and indices: `['items', 0, 'unitPrice']`. */
function pathText(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.slice(0, 20).join('.') : value;
  return typeof text === 'string' && pathPattern.test(text) ? text : undefined;
}

function pageTitle(page: string): string {
  const start = page.slice(0, 8_000);
  const [, title] =
    /<title[^>]{0,200}>([^<]{1,500})/i.exec(start) ?? /<h1[^>]{0,200}>([^<]{1,500})/i.exec(start) ?? [];
  const words =
    title ??
    start.replace(/<(?:style|script)\b[\s\S]*?<\/(?:style|script)>/gi, ' ').replace(/<[^<>]*>/g, ' ');
  return words
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
