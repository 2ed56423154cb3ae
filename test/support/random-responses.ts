import { gzipSync } from 'node:zlib';

/** A response that a server can write to the socket. */
export interface ResponsePlan {
  readonly status: number;
  readonly content:
    | { readonly kind: string; readonly size: number }
    | { readonly kind: 'json'; readonly value: unknown; readonly size: number };
  readonly framing: string;
  /** Bytes per chunk. */
  readonly chunk: number;
  readonly encoding: string;
  readonly type: string;
  readonly prefix: string;
}

const contents: Readonly<Record<string, (size: number) => string>> = {
  nest: (size) => '['.repeat(size),
  list: (size) => `[${'1,'.repeat(size / 2)}1]`,
  objects: (size) => `{"data":[${'{},'.repeat(size / 3)}{}]}`,
  keys: (size) => `{${Array.from({ length: size / 12 }, (_, index) => `"k${index}":1`).join(',')}}`,
  digits: (size) => `{"n":${'9'.repeat(size)}}`,
  text: (size) => JSON.stringify({ message: '4111 1111 1111 1111 '.repeat(size / 20) }),
  pins: (size) => `{"pin":[${Array.from({ length: size / 8 }, (_, index) => `"p${index}"`).join(',')}]}`,
  escapes: (size) => JSON.stringify({ message: '\\"%25&amp;\u001b\u202e'.repeat(size / 14) }),
  page: (size) => `<html>${'<p>'.repeat(size / 3)}`,
  noise: (size) =>
    Array.from({ length: size }, (_, index) => String.fromCharCode((index * 7919) % 256)).join(''),
};

/** Writes a response as bytes, framed according to the plan. */
export function encodeResponse(plan: ResponsePlan): Buffer {
  const { content, framing, chunk, encoding, type, prefix, status } = plan;
  const make = contents[content.kind];
  const text =
    make === undefined && 'value' in content ? JSON.stringify(content.value) : make?.(content.size);
  const plain = Buffer.from(`${prefix}${text ?? ''}`, content.kind === 'noise' ? 'latin1' : 'utf8');
  const body = encoded(plain, encoding);
  const headers = [`HTTP/1.1 ${status} Status`];
  if (type !== '') headers.push(`content-type: ${type}`);
  if (encoding !== 'none') headers.push(`content-encoding: ${encoding === 'unknown' ? 'x-odd' : 'gzip'}`);
  if (framing === 'chunked') headers.push('transfer-encoding: chunked');
  else if (framing !== 'close')
    headers.push(`content-length: ${body.length + (framing === 'short' ? 9 : 0)}`);
  const head = Buffer.from(`${headers.join('\r\n')}\r\n\r\n`, 'latin1');
  if (framing === 'stall') return Buffer.concat([head, body.subarray(0, body.length / 2)]);
  return Buffer.concat([head, framing === 'chunked' ? chunked(body, chunk) : body]);
}

function encoded(plain: Buffer, encoding: string): Buffer {
  if (encoding === 'gzip') return gzipSync(plain);
  // Sixteen megabytes of spaces, compressed to sixteen kilobytes.
  if (encoding === 'gzip-bomb') return gzipSync(Buffer.alloc(16 * 1024 * 1024, ' '));
  return encoding === 'broken-gzip' ? gzipSync(plain).subarray(0, 20) : plain;
}

/** The maximum number of chunks. The remaining bytes of a large body are sent as one chunk. */
const mostChunks = 50_000;

function chunked(body: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const length = parts.length < mostChunks ? size : body.length;
    const piece = body.subarray(at, at + length);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    at += piece.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
