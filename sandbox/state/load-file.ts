import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { isRecord } from '../../src/validation/record.js';
import {
  firstLineProblem,
  format,
  notAState,
  type SandboxState,
  stateProblem,
  stateVersion,
} from './saved-state.js';

/** `[part, key, json]`, or `[part, key]` for a deleted key. */
export type Change = readonly [part: string, key: string, json?: unknown];

/** Ends the complete state, before the first change. A file without this line is incomplete. */
export const endOfFirstPart: readonly Change[] = [];

const openingBrace = 123;

const isSealed = (line: Line) =>
  line.hasEnd && /^[0-9a-f]{16} \{/.test(line.bytes.subarray(0, 18).toString('latin1'));

/** The first file format has no checksums, and begins with a JSON object. */
const isWithoutChecksums = (line: Line) => line.bytes[0] === openingBrace;

/**
 * The state in the file will be overwritten.
 *
 * @throws TypeError if the file is not a state file of any version
 */
export function rejectOtherFile(path: string): void {
  const first = firstLine(path);
  if (first === undefined) return;
  const head = readHead(first);
  const problem = isRecord(head) ? firstLineProblem({ ...head, version: stateVersion }) : noFirstLine;
  if (problem !== undefined) throw new TypeError(`The file ${path} ${problem}.`);
}

/** An incomplete last line is dropped, because its changes were not acknowledged. */
export function loadFile(path: string): SandboxState | undefined {
  const first = firstLine(path);
  if (first === undefined) return undefined;
  const fail = (problem: string) => new TypeError(`The file ${path} ${problem}.`);
  if (isSealed(first) && !isIntact('', first.bytes)) throw fail(damagedIn(1));
  const head = readHead(first);
  const problem = head === undefined ? noFirstLine : firstLineProblem(head);
  if (problem !== undefined) throw fail(problem);
  const parts = new Map<string, Map<string, unknown>>();
  const lines = isWithoutChecksums(first) ? readLines(path) : intactLines(path, fail);
  for (const { number, bytes, hasEnd } of lines) {
    if (number === 1 || !hasEnd) continue;
    const changes = isWithoutChecksums(first) ? parsed(bytes) : parsed(readParts(bytes).json);
    if (!Array.isArray(changes) || !changes.every(isChange)) throw fail(damagedIn(number));
    for (const change of changes) apply(parts, change);
  }
  const state: SandboxState = {
    format,
    version: stateVersion,
    seed: (head as SandboxState).seed,
    parts: Object.fromEntries(Array.from(parts, ([name, entries]) => [name, [...entries]])),
  };
  const missing = stateProblem(state);
  if (missing !== undefined) throw fail(`${missing}; ${remedy}`);
  return state;
}

const remedy = 'put a copy in its place, or begin anew with --fresh (`fresh: true`)';

const noFirstLine = `${notAState}, or its first line is damaged`;

const damagedIn = (line: number) => `is damaged in line ${line}: ${remedy}`;

function* intactLines(path: string, fail: (problem: string) => Error): Generator<Line, undefined> {
  let before = '';
  let last = 0;
  let isWhole = false;
  for (const line of readLines(path)) {
    const { number, bytes, hasEnd } = line;
    if (hasEnd ? !isIntact(before, bytes) : hasOtherEnd(before, bytes)) throw fail(damagedIn(number));
    if (!hasEnd) break;
    const { sum, json } = readParts(bytes);
    before = sum;
    last = number;
    isWhole ||= json.equals(emptyLine);
    yield line;
  }
  if (!isWhole) throw fail(`was cut after line ${last}, in its first part: ${remedy}`);
}

const emptyLine = Buffer.from(JSON.stringify(endOfFirstPart));

/** Killing a process can truncate a line, but not change it. */
const hasOtherEnd = (before: string, bytes: Buffer) => isIntact(before, bytes.subarray(0, -1));

function readHead(line: Line): unknown {
  if (!line.hasEnd) return undefined;
  return parsed(isWithoutChecksums(line) ? line.bytes : readParts(line.bytes).json);
}

/** @throws TypeError for a folder or a device */
function firstLine(path: string): Line | undefined {
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isFile()) throw new TypeError(`${path} is not a regular file.`);
  const lines = readLines(path);
  const { value } = lines.next();
  lines.return(undefined);
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

const isChange = (value: unknown): value is Change =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string' && value.length <= 3;

function apply(parts: Map<string, Map<string, unknown>>, change: Change): void {
  const [part, key, json] = change;
  const entries = parts.get(part) ?? new Map<string, unknown>();
  parts.set(part, entries);
  if (change.length === 3) entries.set(key, json);
  else entries.delete(key);
}

/** In hexadecimal digits. */
const sumLength = 16;

/** A checksum, a space and JSON. */
export interface SealedLine {
  readonly sum: string;
  readonly line: string;
}

/**
 * The checksum also covers the previous line's checksum, so that a gap, a repeated line or a moved
 * line is detected.
 *
 * @param before the previous line's checksum; empty for the first line
 */
export function sealLine(before: string, json: string): SealedLine {
  const sum = checksum(before, Buffer.from(json));
  return { sum, line: `${sum} ${json}\n` };
}

/** Does not check that the parts match. */
function readParts(line: Buffer): { readonly sum: string; readonly json: Buffer } {
  return { sum: line.subarray(0, sumLength).toString('latin1'), json: line.subarray(sumLength + 1) };
}

/** @param before the previous line's checksum */
function isIntact(before: string, line: Buffer): boolean {
  const { sum, json } = readParts(line);
  return line[sumLength] === 32 && checksum(before, json) === sum;
}

const checksum = (before: string, json: Buffer): string =>
  createHash('sha256').update(before).update(json).digest('hex').slice(0, sumLength);

const chunkSize = 1_000_000;
const lineBreak = 10;

interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line break. */
  readonly bytes: Buffer;
  /** False for the last line of a file that does not end in a line break. */
  readonly hasEnd: boolean;
}

/** For a file of any size. */
function* readLines(path: string): Generator<Line, undefined> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(chunkSize);
    let pieces: Buffer[] = [];
    let number = 0;
    const line = (last: Buffer, hasEnd: boolean): Line => {
      number += 1;
      const bytes = Buffer.concat([...pieces, last]);
      pieces = [];
      return { number, bytes, hasEnd };
    };
    while (true) {
      const length = readSync(file, chunk);
      if (length === 0) break;
      let start = 0;
      for (
        let end = chunk.indexOf(lineBreak);
        end !== -1 && end < length;
        end = chunk.indexOf(lineBreak, start)
      ) {
        yield line(chunk.subarray(start, end), true);
        start = end + 1;
      }
      if (start < length) pieces.push(Buffer.from(chunk.subarray(start, length)));
    }
    if (pieces.length > 0) yield line(Buffer.alloc(0), false);
  } finally {
    closeSync(file);
  }
}
