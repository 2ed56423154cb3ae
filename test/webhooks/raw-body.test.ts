import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { hasLoneSurrogate, rawBody } from '../../src/webhooks/raw-body.js';

const bytes = new TextEncoder().encode('{"event":"x"}');

/** The bytes of a body. */
const read = (body: unknown) => [...(rawBody(body) as Uint8Array)];

describe('rawBody', () => {
  test('text, a Buffer and bytes of this realm are what they are, and are not copied', () => {
    for (const body of ['', 'text', Buffer.from('x'), bytes]) expect(rawBody(body)).toBe(body);
  });

  test('any other view, and a buffer: the same memory, from where it begins to where it ends', () => {
    const buffer = new ArrayBuffer(16);
    new Uint8Array(buffer).set([1, 2, 3, 4, 5, 6, 7, 8]);
    const foreign = runInNewContext('new Uint8Array(new ArrayBuffer(16), 2, 4).fill(7)');
    for (const [body, memory, expected] of [
      [new DataView(buffer, 2, 3), buffer, [3, 4, 5]],
      [new Uint16Array(buffer, 2, 2), buffer, [3, 4, 5, 6]],
      [foreign, foreign.buffer, [7, 7, 7, 7]],
      [buffer, buffer, [...new Uint8Array(buffer)]],
    ] as const) {
      expect(read(body)).toEqual(expected);
      expect((rawBody(body) as Uint8Array).buffer).toBe(memory);
    }
    const other = runInNewContext('new ArrayBuffer(3)');
    expect(read(other)).toEqual([0, 0, 0]);
    expect(read(new ArrayBuffer(0))).toEqual([]);
  });

  test('what another thread can write to is copied', () => {
    const shared = new SharedArrayBuffer(4);
    const there = new Uint8Array(shared).fill(1);
    const taken = [shared, there, new DataView(shared)].map((body) => rawBody(body) as Uint8Array);
    there.fill(2);
    for (const copy of taken) expect([...copy]).toEqual([1, 1, 1, 1]);
  });

  test('a view whose bytes were handed to somebody else is empty', () => {
    const view = new Uint16Array(4);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    expect(read(view)).toEqual([]);
  });

  test('nothing else', () => {
    const named = { [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 3 };
    for (const body of [undefined, 7, true, 1n, Symbol('x'), () => 1, null, {}, [1], named])
      expect(rawBody(body)).toBeUndefined();
  });
});

test('hasLoneSurrogate: half of a character, wherever it stands', () => {
  for (const text of ['\ud800', 'a\udc00', '😀\ud83d', '\ude00\ud83d'])
    expect(hasLoneSurrogate(text)).toBe(true);
  for (const text of ['', 'a', '😀', '\ufffd']) expect(hasLoneSurrogate(text)).toBe(false);
});
