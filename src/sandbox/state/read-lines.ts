import { closeSync, openSync, readSync } from 'node:fs';

const chunkSize = 1_000_000;
const lineBreak = 10;

/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Parsed; undefined if it is not JSON. */
  readonly json: unknown;
}

/**
 * Reads a file of lines of JSON, of any size. The last line is dropped if it has no end: the process that wrote it
 * was killed meanwhile.
 */
export function* readLines(path: string): Generator<Line, undefined> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(chunkSize);
    let pieces: Buffer[] = [];
    let number = 0;
    while (true) {
      const length = readSync(file, chunk);
      if (length === 0) return;
      let start = 0;
      for (
        let end = chunk.indexOf(lineBreak);
        end !== -1 && end < length;
        end = chunk.indexOf(lineBreak, start)
      ) {
        number += 1;
        yield { number, json: parsed(Buffer.concat([...pieces, chunk.subarray(start, end)])) };
        pieces = [];
        start = end + 1;
      }
      pieces.push(Buffer.from(chunk.subarray(start, length)));
    }
  } finally {
    closeSync(file);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
