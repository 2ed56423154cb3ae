import { EngineFailure, largestBody } from './engine.js';
import { codeOf, tooLarge } from './engine-failures.js';

/**
 * Decompresses an answer, up to the limit. Only what a server sends unasked comes here: the node
 * engine does not ask for compression.
 */
export async function unpack(
  body: Uint8Array,
  encoding: string,
  status: number | undefined,
): Promise<Uint8Array> {
  const { default: zlib } = await import('node:zlib');
  const algorithms = new Map([
    ['gzip', zlib.gunzip],
    ['x-gzip', zlib.gunzip],
    ['deflate', zlib.inflate],
    ['br', zlib.brotliDecompress],
  ]);
  const algorithm = algorithms.get(encoding.toLowerCase());
  if (algorithm === undefined) {
    throw new EngineFailure('unreadable', 'the answer has an unknown content-encoding', true, { status });
  }
  return new Promise((resolve, reject) => {
    algorithm(body, { maxOutputLength: largestBody }, (cause, plain) => {
      if (cause === null) resolve(plain);
      else if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(status));
      else
        reject(new EngineFailure('unreadable', 'the answer cannot be decompressed', true, { status, cause }));
    });
  });
}
