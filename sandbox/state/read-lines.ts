import { closeSync, openSync, readSync } from 'node:fs';

const chunkSize = 1_000_000;
const lineBreak = 10;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line break. */
  readonly bytes: Buffer;
  /** False for the last line of a file that does not end in a line break. */
  readonly hasEnd: boolean;
}

/** For a file of any size. */
export function* readLines(path: string): Generator<Line, undefined> {
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
