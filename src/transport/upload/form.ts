import type { Issue } from '../../input/issue.js';
import { Read } from '../../input/read.js';
import { isRecord, objectProblem, unreadable } from '../../input/record.js';
import type { Deadline } from '../deadline.js';
import { snapshot } from '../prepare/snapshot.js';
import { FileProblem } from './file-content.js';
import { FormFile, isPlainObject, notAFile, readFileInput } from './files.js';
import { uploadedParts } from './uploaded-file.js';

/** One field of a form. */
type Part = readonly [name: string, content: string | FormFile];

/** The progress of an upload. */
export interface UploadProgress {
  /** Bytes handed to the connection. Starts at 0 again for each attempt. */
  readonly sent: number;
  /** The length of the whole body in bytes; undefined if the length of a stream is unknown. */
  readonly total: number | undefined;
}

/** A form, ready to be sent: every attempt sends the same bytes. */
export interface Form {
  readonly boundary: string;
  readonly parts: readonly Part[];
  readonly onProgress: ((progress: UploadProgress) => unknown) | undefined;
}

/** A form with more fields is a mistake, and would be expensive: each field is a part of its own. */
const maxFields = 1_000;

const unsendableName = /["\\%\p{Cc}\p{Surrogate}]/u;

/**
 * Reads the caller's form before the first await: data is copied, files are recognised. A text is the path
 * of a file in the fields that the operation declares as files, and plain text in all others. A file of 0
 * bytes is missing there, unless it `mayBeEmpty`.
 */
export function readForm(
  given: unknown,
  extra: unknown,
  fileFields: readonly string[] = [],
  mayBeEmpty = false,
): Read<unknown> {
  if (given === undefined) return new Read<unknown>(undefined);
  if (!isRecord(given)) return snapshot(given);
  const problem = objectProblem(given);
  if (problem !== undefined) return new Read<unknown>(undefined, [{ path: '', message: problem }]);
  const reader = new FormReader(fileFields, mayBeEmpty);
  try {
    return reader.read(Object.entries(isRecord(extra) ? { ...given, ...extra } : given));
  } catch {
    // A getter threw: the files read so far are closed, and their streams left to the caller.
    reader.close();
    return new Read<unknown>(undefined, [{ path: '', message: unreadable }]);
  }
}

/** Reads one form. */
class FormReader {
  readonly #fileFields: readonly string[];
  readonly #mayBeEmpty: boolean;
  readonly #issues: Issue[] = [];
  readonly #files: FormFile[] = [];
  /** The field of each value that is a file. */
  readonly #fields = new Map<unknown, string>();

  constructor(fileFields: readonly string[], mayBeEmpty: boolean) {
    this.#fileFields = fileFields;
    this.#mayBeEmpty = mayBeEmpty;
  }

  read(entries: readonly [string, unknown][]): Read<unknown> {
    const body: Record<string, unknown> = {};
    const data: Record<string, unknown> = {};
    if (entries.length > maxFields) this.#refuse('', `has more than ${maxFields} fields`);
    for (const [name, value] of entries.slice(0, maxFields)) {
      if (name === '__proto__' || value === undefined) continue;
      if (name === '' || unsendableName.test(name)) {
        this.#refuse('', 'has a field whose name cannot be sent in a form');
        continue;
      }
      const isFile = this.#fileFields.includes(name);
      const file = readFileInput(value, isFile);
      // Data gets its position here and its value below, so that the fields keep their order.
      body[name] = file ?? null;
      if (file !== undefined) this.#addFile(name, file, isFile && !this.#mayBeEmpty);
      else {
        const problem =
          promiseProblem(value) ?? (isFile ? notAFile(value) : (pathProblem(value) ?? dataProblem(value)));
        if (problem === undefined) data[name] = value;
        else this.#refuse(name, problem);
      }
    }
    const copied = snapshot(data);
    return new Read<unknown>(Object.assign(body, copied.value), [...this.#issues, ...copied.issues]);
  }

  close(): void {
    for (const file of this.#files) file.close();
  }

  #addFile(name: string, file: FormFile, mustHaveContent: boolean): void {
    this.#files.push(file);
    if (mustHaveContent) file.mustHaveContent();
    const sameStreamField = this.#fields.get(file.source);
    if (sameStreamField !== undefined && file.oneShot)
      this.#refuse(name, `is the same stream as ${sameStreamField}`);
    else if (file.problem !== undefined) this.#refuse(name, file.problem);
    this.#fields.set(file.source, name);
  }

  #refuse(path: string, message: string): void {
    this.#issues.push({ path, message });
  }
}

const promiseProblem = (value: unknown) =>
  isRecord(value) && 'then' in value && !isPlainObject(value) ? 'is a Promise: await it first' : undefined;

/** Refuses the file object of a parser that holds a path: as data it would be sent with the paths of this machine. */
const pathProblem = (value: unknown) =>
  uploadedParts(value) === undefined
    ? undefined
    : 'is a file with a path, which is read only in the fields that the API document describes as files: pass its bytes or a stream';

/** Refuses instances of classes (a Response, a Map, a generator), which JSON would turn into `{}`. */
function dataProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlainObject(value))
    return undefined;
  return 'toJSON' in value ? undefined : 'cannot be sent in a form: pass text, a plain object or a file';
}

/** The files in a form, by the names of their fields. */
export function filesIn(body: unknown): [name: string, file: FormFile][] {
  const entries = Object.entries(isRecord(body) ? body : {});
  return entries.filter((entry): entry is [string, FormFile] => entry[1] instanceof FormFile);
}

/** Closes the files of a form. A stream that was not read is left to the caller. */
export function closeFiles(body: unknown): void {
  for (const [, file] of filesIn(body)) file.close();
}

/** The result of opening files. */
export interface OpenedFiles {
  /** Files that cannot be read. */
  readonly issues: readonly Issue[];
  /** The field of the file that was being opened when the call had to stop. */
  readonly waitedFor?: string;
}

/** Opens files before anything is sent. */
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

/** Checks that apply to every form: no null values, and (if there is no other issue) at least one field. */
export function formIssues(body: unknown, known: readonly Issue[]): Issue[] {
  if (!isRecord(body)) return [];
  const entries = Object.entries(body);
  if (entries.every(([, value]) => value === undefined))
    return known.length > 0 ? [] : [{ path: '', message: 'has no fields to send' }];
  const message = 'is null, which a form cannot carry: leave it out';
  return entries.filter(([, value]) => value === null).map(([path]) => ({ path, message }));
}

/** Builds a form with the fields in the given order. Objects become JSON, and line breaks CRLF. */
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

/** Whether a stream of the form was read, so that it cannot be sent again. */
export function isConsumed({ parts }: Form): boolean {
  return parts.some(([, content]) => content instanceof FormFile && content.isConsumed);
}
