import { EngineFailure, maxBodyBytes } from './engine.js';
import { errorCode, tooLargeFailure } from './engine-failures.js';

/**
 * Decompresses an answer, up to the limit. The node engine does not ask for compression, so this is only
 * for servers that compress unasked.
 */
export async function decompress(
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
    algorithm(body, { maxOutputLength: maxBodyBytes }, (cause, plain) => {
      if (cause === null) resolve(plain);
      else if (errorCode(cause) === 'ERR_BUFFER_TOO_LARGE') reject(tooLargeFailure(status));
      else
        reject(new EngineFailure('unreadable', 'the answer cannot be decompressed', true, { status, cause }));
    });
  });
}
