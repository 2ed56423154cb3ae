import type { Issue } from '../../input/issue.js';
import { Read } from '../../input/read.js';
import { isRecord, unreadable } from '../../input/record.js';
import type { Deadline } from '../deadline.js';
import { snapshot } from '../prepare/snapshot.js';
import { FileProblem } from './file-content.js';
import { FormFile, isPlain, noFile, readFileInput } from './files.js';

/** One field of a form. */
type Part = readonly [name: string, content: string | FormFile];

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes handed to the connection; from 0 again for each attempt. */
  readonly sent: number;
  /** Undefined while the length of a stream is not known. */
  readonly total: number | undefined;
}

/** A form, ready for the wire: every attempt sends the same bytes. */
export interface Form {
  readonly boundary: string;
  readonly parts: readonly Part[];
  readonly onProgress: ((progress: UploadProgress) => unknown) | undefined;
}

/** A form with more fields is a mistake, and costs more than it should: each is a part of its own. */
const mostFields = 1_000;

const noName = /["\\%\p{Cc}\p{Surrogate}]/u;

/**
 * Takes the caller's form before anything can be awaited: data is copied, files are recognised. A text is
 * the path of a file in the fields that the operation calls files, and text anywhere else.
 */
export function readForm(given: unknown, extra: unknown, fileFields: readonly string[] = []): Read<unknown> {
  if (!isRecord(given)) return snapshot(given);
  const reading = new FormReading(fileFields);
  try {
    return reading.read(Object.entries(isRecord(extra) ? { ...given, ...extra } : given));
  } catch {
    // A getter threw: what was taken before stays the caller's.
    reading.close();
    return new Read<unknown>(undefined, [{ path: '', message: unreadable }]);
  }
}

/** One form that is being read. */
class FormReading {
  readonly #fileFields: readonly string[];
  readonly #issues: Issue[] = [];
  readonly #files: FormFile[] = [];
  /** The fields of the values that are files. */
  readonly #fields = new Map<unknown, string>();

  constructor(fileFields: readonly string[]) {
    this.#fileFields = fileFields;
  }

  read(entries: readonly [string, unknown][]): Read<unknown> {
    const body: Record<string, unknown> = {};
    const data: Record<string, unknown> = {};
    if (entries.length > mostFields) this.#refuse('', `has more than ${mostFields} fields`);
    for (const [name, value] of entries.slice(0, mostFields)) {
      if (name === '__proto__' || value === undefined) continue;
      if (name === '' || noName.test(name)) {
        this.#refuse('', 'has a field whose name cannot be sent in a form');
        continue;
      }
      const isFile = this.#fileFields.includes(name);
      const file = readFileInput(value, isFile);
      // Data gets its place here and its value below, so that the fields keep their order.
      body[name] = file ?? null;
      if (file !== undefined) this.#take(name, value, file, isFile);
      else {
        const problem = promiseProblem(value) ?? (isFile ? noFile(value) : dataProblem(value));
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

  #take(name: string, value: unknown, file: FormFile, mustHaveContent: boolean): void {
    this.#files.push(file);
    if (mustHaveContent) file.mustHaveContent();
    const twin = this.#fields.get(value);
    if (twin !== undefined && file.oneShot) this.#refuse(name, `is the same stream as ${twin}`);
    else if (file.problem !== undefined) this.#refuse(name, file.problem);
    this.#fields.set(value, name);
  }

  #refuse(path: string, message: string): void {
    this.#issues.push({ path, message });
  }
}

const promiseProblem = (value: unknown) =>
  isRecord(value) && 'then' in value && !isPlain(value) ? 'is a Promise: await it first' : undefined;

/** An object of a class of its own (a Response, a Map, a generator) would be sent as `{}`. */
function dataProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlain(value)) return undefined;
  return 'toJSON' in value
    ? undefined
    : 'is no value that a form can carry: pass text, a plain object or a file';
}

/** The files in a form, by the names of their fields. */
export function filesIn(body: unknown): [name: string, file: FormFile][] {
  const entries = Object.entries(isRecord(body) ? body : {});
  return entries.filter((entry): entry is [string, FormFile] => entry[1] instanceof FormFile);
}

/** What came of looking at files. */
export interface OpenedFiles {
  /** What cannot be read. */
  readonly issues: readonly Issue[];
  /** The field of the file that was still awaited when the call had to stop. */
  readonly waitedFor?: string;
}

/** Looks at files before anything is sent. */
export async function openFiles(
  files: readonly [name: string, file: FormFile][],
  deadline: Deadline,
): Promise<OpenedFiles> {
  const issues: Issue[] = [];
  for (const [name, file] of files) {
    if (file.problem !== undefined) continue;
    if (deadline.stop !== undefined) return { issues };
    try {
      await deadline.race(file.open(name));
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      issues.push({ path: name, message: error.message });
    }
    if (deadline.stop !== undefined) return { issues, waitedFor: name };
  }
  return { issues };
}

/** What a form cannot be, whatever its operation; that it is empty, where nothing else is wrong with it. */
export function formIssues(body: unknown, known: readonly Issue[]): Issue[] {
  if (!isRecord(body)) return [];
  const entries = Object.entries(body);
  if (entries.every(([, value]) => value === undefined))
    return known.length > 0 ? [] : [{ path: '', message: 'has no fields to send' }];
  const message = 'is null, which a form cannot carry: leave it out';
  return entries.filter(([, value]) => value === null).map(([path]) => ({ path, message }));
}

/** The fields in the order they were given. Objects are sent as JSON; line breaks as every form has them. */
export function formOf(body: unknown, onProgress: Form['onProgress']): Form {
  const parts: Part[] = [];
  for (const [name, value] of Object.entries(isRecord(body) ? body : {})) {
    if (value instanceof FormFile) parts.push([name, value]);
    else if (value !== undefined) parts.push([name, textOf(value)]);
  }
  return { boundary: `----payment-platform-${globalThis.crypto.randomUUID()}`, parts, onProgress };
}

function textOf(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

/** Whether a stream of it was read: then it cannot be sent again. */
export function isSpent({ parts }: Form): boolean {
  return parts.some(([, content]) => content instanceof FormFile && content.isSpent);
}
