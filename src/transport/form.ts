import { isRecord } from '../contract/record.js';
import type { Issue } from '../errors/usage.js';
import type { Deadline } from './deadline.js';
import { FileProblem } from './file-content.js';
import { FormFile, readFileInput } from './files.js';
import { snapshot } from './snapshot.js';

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

const noName = /["\\%\p{Cc}\p{Surrogate}]/u;

/**
 * Takes the caller's form before anything can be awaited: data is copied, files are recognised. A text
 * may still turn out to be a path, when it is known for which operation it is.
 */
export function draftForm(given: unknown, issues: Issue[]): unknown {
  if (!isRecord(given)) return snapshot(given, issues);
  const body: Record<string, unknown> = {};
  const data: Record<string, unknown> = {};
  const files = new Map<unknown, string>();
  for (const [name, value] of Object.entries(given)) {
    if (name === '__proto__' || value === undefined) continue;
    if (name === '' || noName.test(name)) {
      issues.push({ path: '', message: 'has a field whose name cannot be sent in a form' });
      continue;
    }
    if (value === null) {
      issues.push({ path: name, message: 'is null, which a form cannot carry: leave it out' });
      continue;
    }
    const file = readFileInput(value, false);
    if (file === undefined) data[name] = value;
    else {
      const twin = files.get(value);
      const isShared = twin !== undefined && file.oneShot;
      if (isShared) issues.push({ path: name, message: `is the same stream as ${twin}` });
      else if (file.problem !== undefined) issues.push({ path: name, message: file.problem });
      files.set(value, name);
    }
    body[name] = file;
  }
  return Object.assign(body, snapshot(data, issues));
}

/** Turns texts into the files whose paths they are. */
export function pathsToFiles(body: unknown, fields: readonly string[] = [], issues: Issue[]): void {
  if (!isRecord(body)) return;
  for (const name of fields) {
    const file = typeof body[name] === 'string' ? readFileInput(body[name], true) : undefined;
    if (file === undefined) continue;
    if (file.problem !== undefined) issues.push({ path: name, message: file.problem });
    (body as Record<string, unknown>)[name] = file;
  }
}

/** Looks at the files of a form before anything is sent, and adds to `issues` what cannot be read. */
export async function openFiles(
  body: unknown,
  which: (file: FormFile) => boolean,
  issues: Issue[],
  deadline: Deadline,
): Promise<void> {
  if (!isRecord(body)) return;
  for (const [name, file] of Object.entries(body)) {
    if (!(file instanceof FormFile) || !which(file) || file.problem !== undefined) continue;
    try {
      await deadline.race(file.open(name));
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      issues.push({ path: name, message: error.message });
    }
  }
}

/** The fields in the order they were given. Objects are sent as JSON; line breaks as every form has them. */
export function formOf(body: unknown, onProgress: Form['onProgress']): Form {
  const parts: Part[] = [];
  for (const [name, value] of Object.entries(isRecord(body) ? body : {})) {
    if (value instanceof FormFile) parts.push([name, value]);
    else if (value !== null && value !== undefined) parts.push([name, textOf(value)]);
  }
  return { boundary: `----payment-platform-${globalThis.crypto.randomUUID()}`, parts, onProgress };
}

function textOf(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

export function filesOf({ parts }: Form): FormFile[] {
  return parts.map(([, content]) => content).filter((content) => content instanceof FormFile);
}

/** Whether a stream of it was read: then it cannot be sent again. */
export function isSpent(form: Form): boolean {
  return filesOf(form).some((file) => file.isSpent);
}
