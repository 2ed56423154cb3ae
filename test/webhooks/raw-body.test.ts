import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { hasLoneSurrogate, rawBody } from '../../src/webhooks/verify.js';

describe('rawBody', () => {
  test('copies bytes that are read at once only if another thread or realm owns them', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    const read = rawBody(bytes.subarray(1, 3), true) as Uint8Array;
    expect(read).toEqual(Uint8Array.of(2, 3));
    expect(read.buffer).toBe(bytes.buffer);
    for (const other of [new Uint8Array(new SharedArrayBuffer(4)), runInNewContext('new Uint8Array(4)')]) {
      const copy = rawBody(other, true) as Uint8Array;
      expect(copy).toEqual(new Uint8Array(4));
      expect(copy.buffer).not.toBe(other.buffer);
    }
  });

  test('returns a string unchanged', () => {
    for (const text of ['', 'text']) expect(rawBody(text)).toBe(text);
  });

  test('copies exactly the bytes in a view, whatever the type or the realm of the view is', () => {
    const buffer = new ArrayBuffer(16);
    const memory = new Uint8Array(buffer);
    memory.set([1, 2, 3, 4, 5, 6, 7, 8]);
    const shared = new SharedArrayBuffer(4);
    const foreign: Uint8Array = runInNewContext('new Uint8Array(new ArrayBuffer(16), 2, 4).fill(7)');
    const pooled = Buffer.from('pooled');
    const inputs: [unknown, number[]][] = [
      [memory.subarray(1, 4), [2, 3, 4]],
      [new DataView(buffer, 2, 3), [3, 4, 5]],
      [new Uint16Array(buffer, 2, 2), [3, 4, 5, 6]],
      [buffer, [...memory]],
      [foreign, [7, 7, 7, 7]],
      [pooled, [...pooled]],
      [shared, [0, 0, 0, 0]],
      [new DataView(shared), [0, 0, 0, 0]],
      [runInNewContext('new ArrayBuffer(3)'), [0, 0, 0]],
      [new ArrayBuffer(0), []],
    ];
    const copies = inputs.map(([body]) => rawBody(body) as Uint8Array);
    for (const bytes of [memory, new Uint8Array(shared), foreign, pooled]) bytes.fill(9);
    expect(copies.map((bytes) => [...bytes])).toEqual(inputs.map(([, bytes]) => bytes));
  });

  test('returns undefined for a buffer whose memory was transferred', () => {
    const view = new Uint16Array(4);
    const { buffer } = view;
    structuredClone(buffer, { transfer: [buffer] });
    expect([rawBody(view), rawBody(buffer)]).toEqual([undefined, undefined]);
  });

  test('returns undefined for a value that is neither a string nor bytes', () => {
    const named = { [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 3 };
    for (const body of [undefined, 7, true, 1n, Symbol('x'), () => 1, null, {}, [1], named])
      expect(rawBody(body)).toBeUndefined();
  });
});

test('hasLoneSurrogate finds half a surrogate pair anywhere in a string', () => {
  for (const text of ['\ud800', 'a\udc00', '😀\ud83d', '\ude00\ud83d'])
    expect(hasLoneSurrogate(text)).toBe(true);
  for (const text of ['', 'a', '😀', '\ufffd']) expect(hasLoneSurrogate(text)).toBe(false);
});
