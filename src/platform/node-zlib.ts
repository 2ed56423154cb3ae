import type * as zlib from 'node:zlib';

/** `detected` and `raw` are for bodies whose stated encoding is unknown or wrong. */
const methods = {
  gzip: 'gunzip',
  'x-gzip': 'gunzip',
  deflate: 'inflate',
  br: 'brotliDecompress',
  zstd: 'zstdDecompress',
  /** Detects gzip or zlib by the first bytes. */
  detected: 'unzip',
  /** Deflate without a zlib header, which some servers send as `deflate`. */
  raw: 'inflateRaw',
} as const;

/** With `info` the result includes the number of bytes read. */
type Undo = (
  body: Uint8Array,
  options: { readonly maxOutputLength: number; readonly info: true },
  done: (cause: Error | null, undone?: Undone) => void,
) => void;

interface Undone {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

export const isSupportedCoding = (coding: string): boolean => Object.hasOwn(methods, coding);

export async function undoCoding(
  coding: string,
  body: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | 'wrong' | 'too-large'> {
  const all: Readonly<Record<string, unknown>> = (await import('node:zlib')) as typeof zlib;
  // Node 20 lacks zstd.
  const undo = all[methods[coding as keyof typeof methods]] as Undo | undefined;
  if (undo === undefined) return 'wrong';
  return new Promise((resolve) => {
    undo(body, { maxOutputLength: maxBytes, info: true }, (cause, undone) => {
      if (undone === undefined)
        resolve(
          (cause as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'wrong',
        );
      // Raw deflate has no checksum, and any bytes can look like its start. Unread bytes mean that the body
      // was not deflate.
      else if (coding === 'raw' && undone.engine.bytesWritten !== body.length) resolve('wrong');
      else resolve(undone.buffer);
    });
  });
}
