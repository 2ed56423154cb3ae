import type { Issue } from '../../errors/usage.js';
import { isRecord } from '../../input/record.js';
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
 * Takes the caller's form before anything can be awaited: data is copied, files are recognised. A text
 * may still turn out to be a path, when it is known for which operation it is.
 */
export function draftForm(given: unknown, issues: Issue[]): unknown {
  if (!isRecord(given)) return snapshot(given, issues);
  const files: FormFile[] = [];
  try {
    return readForm(given, files, issues);
  } catch (error) {
    // A getter threw: what was taken before stays the caller's.
    for (const file of files) file.close();
    throw error;
  }
}

function readForm(given: Readonly<Record<string, unknown>>, files: FormFile[], issues: Issue[]): unknown {
  const body: Record<string, unknown> = {};
  const data: Record<string, unknown> = {};
  const fields = new Map<unknown, string>();
  const entries = Object.entries(given);
  if (entries.length > mostFields) issues.push({ path: '', message: `has more than ${mostFields} fields` });
  for (const [name, value] of entries.slice(0, mostFields)) {
    if (name === '__proto__' || value === undefined) continue;
    if (name === '' || noName.test(name)) {
      issues.push({ path: '', message: 'has a field whose name cannot be sent in a form' });
      continue;
    }
    const file = readFileInput(value, false);
    if (file === undefined) {
      const problem = dataProblem(value);
      if (problem === undefined) data[name] = value;
      else issues.push({ path: name, message: problem });
    } else {
      files.push(file);
      const twin = fields.get(value);
      const isShared = twin !== undefined && file.oneShot;
      if (isShared) issues.push({ path: name, message: `is the same stream as ${twin}` });
      else if (file.problem !== undefined) issues.push({ path: name, message: file.problem });
      fields.set(value, name);
    }
    // Data gets its place here and its value below, so that the fields keep their order.
    body[name] = file;
  }
  return Object.assign(body, snapshot(data, issues));
}

/** An object of a class of its own (a Response, a Map, a generator) would be sent as `{}`. */
function dataProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlain(value)) return undefined;
  if ('then' in value) return 'is a Promise: await it first';
  return 'toJSON' in value
    ? undefined
    : 'is no value that a form can carry: pass text, a plain object or a file';
}

/** Reads the fields that are files, none of which is empty: a text is a path, and anything else that is no file is told. */
export function readFiles(body: unknown, fields: readonly string[] = [], issues: Issue[]): void {
  if (!isRecord(body)) return;
  const form = body as Record<string, unknown>;
  for (const name of fields) {
    const value = form[name];
    if (value instanceof FormFile) value.mustHaveContent();
    if (value === undefined || value instanceof FormFile) continue;
    const file = readFileInput(value, true);
    const problem = file === undefined ? noFile(value) : file.problem;
    if (problem !== undefined && !issues.some(({ path }) => path === name)) {
      // That it is no file explains whatever is wrong inside of it.
      const others = issues.filter(({ path }) => !path.startsWith(`${name}.`));
      issues.splice(0, issues.length, ...others, { path: name, message: problem });
    }
    file?.mustHaveContent();
    form[name] = file ?? value;
  }
}

/** The files in a form, by the names of their fields. */
export function filesIn(body: unknown): [name: string, file: FormFile][] {
  const entries = Object.entries(isRecord(body) ? body : {});
  return entries.filter((entry): entry is [string, FormFile] => entry[1] instanceof FormFile);
}

/**
 * Looks at files before anything is sent, and adds to `issues` what cannot be read. Returns the name of
 * the one that was still awaited when the call had to stop.
 */
export async function openFiles(
  files: readonly [name: string, file: FormFile][],
  issues: Issue[],
  deadline: Deadline,
): Promise<string | undefined> {
  for (const [name, file] of files) {
    if (file.problem !== undefined) continue;
    if (deadline.stop !== undefined) return undefined;
    try {
      await deadline.race(file.open(name));
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      issues.push({ path: name, message: error.message });
    }
    if (deadline.stop !== undefined) return name;
  }
  return undefined;
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
