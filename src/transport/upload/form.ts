import { shapes } from '../../contract/generated/shapes.js';
import { article, typeName } from '../../contract/patterns.js';
import { type CheckedBody, tooManyIssue, ValueReader } from '../../contract/read-value.js';
import { anything, type RuntimeSchema } from '../../contract/runtime-schema.js';
import { FileProblem } from '../../platform/file-content.js';
import type { Issue } from '../../validation/issue.js';
import { isRecord, objectProblem, setOwn } from '../../validation/record.js';
import type { Deadline } from '../call/deadline.js';
import { FormFile, isPlainObject, notAFile, readFileInput } from './files.js';
import { readUploadedParts } from './uploaded-file.js';

type Part = readonly [name: string, content: string | FormFile];

/** The progress of an upload. */
export interface UploadProgress {
  /** Bytes passed to the connection. Restarts at 0 for each attempt. */
  readonly sent: number;
  /** The length of the whole body in bytes; undefined if the length of a stream is unknown. */
  readonly total: number | undefined;
}

/** Every attempt reads its files again. */
export interface Form {
  readonly boundary: string;
  readonly parts: readonly Part[];
  readonly onProgress: ((progress: UploadProgress) => unknown) | undefined;
}

/** More are a mistake, and would be expensive, because each field becomes a separate part. */
const maxFields = 1_000;

const unsendableName = /["\\%\p{Cc}\p{Surrogate}]/u;

/**
 * Reads the caller's form before the first await, each field once. In a field that the API docs describe as a
 * file, a string is a file path. In any other field, it is data.
 */
export function readForm(
  value: unknown,
  extra: unknown,
  shape: RuntimeSchema | undefined,
  isKeyLike: (name: string) => boolean,
  mayBeEmpty = false,
): CheckedBody {
  const reject = (message: string): CheckedBody => ({
    value: undefined,
    issues: [{ path: '', message }],
    keyLikePaths: [],
  });
  if (value === undefined) return reject(shape === undefined ? noFields : 'is required');
  if (!isRecord(value)) return reject(`must be an object, not ${typeName(value)}`);
  const problem = objectProblem(value);
  if (problem !== undefined) return reject(problem);
  const reader = new FormReader(shape, isKeyLike, mayBeEmpty);
  try {
    return reader.read(isRecord(extra) ? { ...value, ...extra } : value);
  } catch (error) {
    // Unread streams stay open for the caller.
    reader.close();
    return { value: undefined, issues: [tooManyIssue(error)], keyLikePaths: [] };
  }
}

const noFields = 'has no fields to send';

const fileNames: ReadonlySet<string> = new Set(
  Object.values(shapes).flatMap(({ request }) =>
    Object.entries(request?.fields ?? {}).flatMap(([name, { type }]) => (type === 'file' ? [name] : [])),
  ),
);

class FormReader {
  readonly #shape: RuntimeSchema | undefined;
  /** Whether the API docs show files in the form. Otherwise, no string is a path, whatever its field is called. */
  readonly #hasFiles: boolean;
  readonly #mayBeEmpty: boolean;
  readonly #data: ValueReader;
  readonly #files: FormFile[] = [];
  readonly #fields = new Map<unknown, string>();

  constructor(shape: RuntimeSchema | undefined, isKeyLike: (name: string) => boolean, mayBeEmpty: boolean) {
    this.#data = new ValueReader(isKeyLike);
    this.#shape = shape;
    this.#hasFiles = Object.values(shape?.fields ?? {}).some(({ type }) => type === 'file');
    this.#mayBeEmpty = mayBeEmpty;
  }

  read(input: Readonly<Record<string, unknown>>): CheckedBody {
    const body: Record<string, unknown> = {};
    const names = Object.keys(input);
    if (names.length > maxFields) this.#data.reject(`has more than ${maxFields} fields`);
    for (const name of names.slice(0, maxFields)) {
      if (name === '__proto__') continue;
      const value = input[name];
      if (value === undefined) continue;
      if (name === '' || unsendableName.test(name))
        this.#data.reject('has a field whose name cannot be sent in a form');
      else {
        const { length } = this.#data.issues;
        const read = this.#readField(name, value);
        if (read !== undefined || this.#data.issues.length > length) setOwn(body, name, read);
      }
    }
    const { fields, required } = this.#shape ?? anything;
    const unknown = names.filter((name) => fields[name] === undefined);
    const misspelt = this.#data.findMisspelt(unknown, this.#shape ?? anything, body);
    for (const name of required)
      if (!Object.hasOwn(body, name)) this.#data.reportMissing(name, fields[name] as RuntimeSchema, misspelt);
    const { issues, keyLikePaths } = this.#data;
    if (issues.length === 0 && Object.keys(body).length === 0) this.#data.reject(noFields);
    return { value: body, issues, keyLikePaths };
  }

  close(): void {
    for (const file of this.#files) file.close();
  }

  #readField(name: string, value: unknown): unknown {
    const shape = this.#shape?.fields[name];
    if (shape === undefined) this.#data.noteUnknown(name);
    const isFile = this.#hasFiles && fileNames.has(name);
    const file = readFileInput(value, isFile);
    if (file !== undefined) {
      if (shape !== undefined && shape.type !== 'file')
        return this.#data.reject(`must be ${article(shape.type)}, not a file`, name);
      return this.#readFile(name, file, isFile && !this.#mayBeEmpty);
    }
    const problem =
      (shape === undefined ? nullProblem(value) : undefined) ??
      promiseProblem(value) ??
      (isFile ? notAFile(value) : (pathProblem(value) ?? dataProblem(value)));
    if (problem === undefined) return this.#data.readField(name, value, shape ?? anything);
    this.#data.reject(problem, name);
    return undefined;
  }

  #readFile(name: string, file: FormFile, mustHaveContent: boolean): FormFile {
    this.#files.push(file);
    if (mustHaveContent) file.mustHaveContent();
    const sameStreamField = this.#fields.get(file.source);
    if (sameStreamField !== undefined && file.oneShot)
      this.#data.reject(`is the same stream as ${sameStreamField}`, name);
    else if (file.problem !== undefined) this.#data.reject(file.problem, name);
    this.#fields.set(file.source, name);
    return file;
  }
}

const nullProblem = (value: unknown) =>
  value === null ? 'is null, which a form cannot carry. Leave it out' : undefined;

const promiseProblem = (value: unknown) =>
  isRecord(value) && 'then' in value && !isPlainObject(value) ? 'is a Promise. Await it first' : undefined;

/** Otherwise the object would be sent as data, and reveal paths of this machine. */
const pathProblem = (value: unknown) =>
  readUploadedParts(value) === undefined
    ? undefined
    : 'is a path, which is read only in the file fields of the API docs. Pass bytes or a stream';

/** Rejects instances of classes (a Response, a Map, a generator), which JSON would turn into `{}`. */
function dataProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlainObject(value))
    return undefined;
  return 'toJSON' in value ? undefined : 'cannot be sent in a form. Pass a string, a plain object or a file';
}

export function listFiles(body: unknown): [name: string, file: FormFile][] {
  const entries = Object.entries(isRecord(body) ? body : {});
  return entries.filter((entry): entry is [string, FormFile] => entry[1] instanceof FormFile);
}

/** An unread stream stays open for the caller. */
export function closeFiles(body: unknown): void {
  for (const [, file] of listFiles(body)) file.close();
}

export interface OpenedFiles {
  readonly issues: readonly Issue[];
  readonly waitedFor?: string;
}

export async function openFiles(
  files: readonly [name: string, file: FormFile][],
  deadline: Deadline,
): Promise<OpenedFiles> {
  const issues: Issue[] = [];
  for (const [name, file] of files) {
    if (file.problem !== undefined) continue;
    if (deadline.stopReason !== undefined) return { issues };
    try {
      await deadline.race(file.open(name));
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const { message, check } = error;
      issues.push({ path: name, message, ...(check && { check }) });
    }
    if (deadline.stopReason !== undefined) return { issues, waitedFor: name };
  }
  return { issues };
}

export function buildForm(body: unknown, onProgress: Form['onProgress']): Form {
  const parts: Part[] = [];
  for (const [name, value] of Object.entries(isRecord(body) ? body : {})) {
    if (value instanceof FormFile) parts.push([name, value]);
    else if (value !== undefined) parts.push([name, fieldText(value)]);
  }
  return { boundary: `----payment-platform-${globalThis.crypto.randomUUID()}`, parts, onProgress };
}

function fieldText(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

export function isConsumed({ parts }: Form): boolean {
  return parts.some(([, content]) => content instanceof FormFile && content.isConsumed);
}
