import { encryptedTokenStore, memoryTokenStore } from 'payment-platform';
import { describe, expect, test, vi } from 'vitest';

const pass = (milliseconds: number) => {
  const later = performance.now() + milliseconds;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
};

describe('memoryTokenStore', () => {
  test('returns a value until it expires', async () => {
    const store = memoryTokenStore();
    await store.set('key', 'value', 1_000);
    expect(await store.get('key')).toBe('value');
    expect(await store.get('other')).toBeUndefined();
    pass(1_001);
    expect(await store.get('key')).toBeUndefined();
  });

  test('grants a lock to one holder, until it expires', async () => {
    const store = memoryTokenStore();
    const release = await store.lock('key', 1_000);
    expect(await store.lock('key', 1_000)).toBeUndefined();
    expect(await store.lock('other', 1_000)).toBeTypeOf('function');
    await release?.();
    const second = await store.lock('key', 1_000);
    expect(second).toBeTypeOf('function');
    pass(2_000);
    expect(await store.lock('key', 1_000)).toBeTypeOf('function');
    // The second holder releases too late, because a third holder already has the lock.
    await second?.();
    expect(await store.lock('key', 1_000)).toBeUndefined();
  });
});

describe('encryptedTokenStore', () => {
  test.each([undefined, null, 5, [undefined]])('rejects a key that is %s', (missing) => {
    expect(() => encryptedTokenStore(memoryTokenStore(), missing as never)).toThrow(
      'encryptedTokenStore takes keys of 32 bytes, as bytes or base64.',
    );
  });

  const key = new Uint8Array(32).fill(1);
  const next = Buffer.alloc(32, 2).toString('base64');

  test('encrypts the same value differently each time, and decrypts it', async () => {
    const inner = memoryTokenStore();
    const store = encryptedTokenStore(inner, key);
    await store.set('a', 'canary', 1_000);
    const first = await inner.get('a');
    await store.set('a', 'canary', 1_000);
    expect(await inner.get('a')).not.toBe(first);
    expect(first).toMatch(/^[\w.:+/=-]{32,}$/);
    for (const encoding of ['utf8', 'base64'] as const)
      expect(Buffer.from(first ?? '', encoding).toString('latin1')).not.toContain('canary');
    expect(await store.get('a')).toBe('canary');
  });

  test('treats a value as missing if it was changed, is not encrypted or was stored under a different key', async () => {
    const inner = memoryTokenStore();
    const store = encryptedTokenStore(inner, key);
    await store.set('a', 'canary', 1_000);
    const sealed = (await inner.get('a')) ?? '';
    await inner.set('b', sealed, 1_000);
    expect(await store.get('b')).toBeUndefined();
    const bytes = Buffer.from(sealed, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    for (const wrong of [bytes.toString('base64'), 'plain text!', '', 'AAAA']) {
      await inner.set('a', wrong, 1_000);
      expect(await store.get('a')).toBeUndefined();
    }
    expect(await encryptedTokenStore(inner, new Uint8Array(32).fill(9)).get('b')).toBeUndefined();
  });

  test('encrypts with the first key in its list and decrypts with every key, so that keys can be rotated', async () => {
    const inner = memoryTokenStore();
    await encryptedTokenStore(inner, key).set('a', 'canary', 1_000);
    const both = encryptedTokenStore(inner, [next, key]);
    expect(await both.get('a')).toBe('canary');
    await both.set('a', 'newer', 1_000);
    expect(await encryptedTokenStore(inner, next).get('a')).toBe('newer');
    expect(await encryptedTokenStore(inner, key).get('a')).toBeUndefined();
  });

  test.each([['short'], [new Uint8Array(16)], [[]], ['%%%']])(
    'rejects the encryption key %j, which is not 32 bytes long',
    (wrong) => {
      expect(() => encryptedTokenStore(memoryTokenStore(), wrong as never)).toThrow(/key/);
    },
  );

  test('uses the locks of the store that it wraps', async () => {
    const inner = memoryTokenStore();
    const release = await encryptedTokenStore(inner, key).lock('a', 1_000);
    expect(await inner.lock('a', 1_000)).toBeUndefined();
    await release?.();
  });
});
