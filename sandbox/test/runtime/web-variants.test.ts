import { createHash, createHmac, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { inspect as nodeInspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readParts } from '../../http/node-multipart.js';
import { readParts as readWebParts } from '../../http/web-multipart.js';
import { fromBase64, fromHex, toBase64, toHex } from '../../runtime/bytes.js';
import * as nodeKeys from '../../runtime/node-keys.js';
import { parseCertificate } from '../../runtime/parse-certificate.js';
import * as web from '../../runtime/web.js';
import { inspect } from '../../runtime/web-inspect.js';
import * as webKeys from '../../runtime/web-keys.js';
import { sandboxForTest, startOfYear } from '../support.js';

describe('the browser build prints a value in a message as Node does', () => {
  class Payment {
    readonly id = 'p';
  }
  const bare = Object.assign(Object.create(null), { a: 1 });
  test.each([
    ['an empty string', ''],
    ['an apostrophe', "it's"],
    ['quotation marks', 'say "so"'],
    ['a line break', 'a\nb\\c'],
    ['undefined', undefined],
    ['null', null],
    ['minus zero', -0],
    ['a bigint', 10n],
    ['a symbol', Symbol('s')],
    ['a function', function pay() {}],
    ['a function without a name', () => undefined],
    ['a Date', new Date(0)],
    ['an invalid Date', new Date(Number.NaN)],
    ['empty lists and objects', [{}, []]],
    ['a list', [1, 'a', [2, [3, [4]]]]],
    ['an object', { a: 1, 'b c': { d: { e: { f: 1 } } } }],
    ['an instance', new Payment()],
    ['an object without a prototype', bare],
    [
      'a getter',
      {
        get a(): never {
          throw new Error('called');
        },
      },
    ],
  ])('for %s', (_, value) => {
    const options = { breakLength: Number.POSITIVE_INFINITY, compact: 100 };
    expect(inspect(value)).toBe(nodeInspect(value, options));
    expect(inspect(value, { depth: 0 })).toBe(nodeInspect(value, { ...options, depth: 0 }));
  });
});

test('the browser build prints the first 100 entries of a long list', () => {
  expect(inspect(Array.from({ length: 102 }, () => 0))).toMatch(/^\[ (0, ){100}\.\.\. 2 more items \]$/);
});

test('the browser build’s hashes equal Node’s', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'binary' }),
      (text, bytes, secret) => {
        const hash = createHash('sha256').update(text).update(bytes).digest('hex');
        expect(toHex(web.sha256Hash().update(text).update(bytes).digest())).toBe(hash);
        const hmac = createHmac('sha256', secret).update(text).digest('hex');
        expect(toHex(web.hmacSha256(secret, text))).toBe(hmac);
      },
    ),
  );
});

test('the browser build’s base64 and hexadecimal strings equal Node’s', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), fc.string(), (bytes, text) => {
      const buffer = Buffer.from(bytes);
      expect(toBase64(bytes)).toBe(buffer.toString('base64'));
      expect(toHex(bytes)).toBe(buffer.toString('hex'));
      expect([...fromHex(buffer.toString('hex'))]).toEqual([...bytes]);
      expect([...fromBase64(buffer.toString('base64'))]).toEqual([...bytes]);
      expect([...fromBase64(buffer.toString('base64url'))]).toEqual([...bytes]);
      expect([...fromBase64(text.replaceAll('=', ''))]).toEqual([
        ...Buffer.from(text.replaceAll('=', ''), 'base64'),
      ]);
    }),
  );
});

test('the browser build reads a form’s fields as Node does', async () => {
  const form = new FormData();
  form.append('name', 'Ana Conceição');
  form.append('selfie', new File([Uint8Array.of(0xff, 0x0d, 0x0a)], 'a/b.jpg', { type: 'image/jpeg' }));
  form.append('name', 'twice');
  const request = new Response(form);
  const contentType = request.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await request.arrayBuffer());
  const parts = await readWebParts(contentType, bytes);
  expect(parts).toEqual(await readParts(contentType, bytes));
  expect(parts[1]?.[1]).toMatchObject({ filename: 'a/b.jpg', contentType: 'image/jpeg', size: 3 });
  await expect(readWebParts(contentType, bytes.subarray(0, 60))).rejects.toThrow('it cannot be read');
});

describe('the browser build’s certificate code', () => {
  const bytes = new TextEncoder().encode('what is signed');

  test('creates signatures that Node verifies, and verifies signatures that Node creates', () => {
    for (const [one, other] of [
      [nodeKeys, webKeys],
      [webKeys, nodeKeys],
    ] as const) {
      const { privateKey, publicKey } = one.createKeyPair();
      const signatures = [one.computeSignature(bytes, privateKey), other.computeSignature(bytes, privateKey)];
      for (const signature of signatures) {
        expect(other.isSignature('sha256', bytes, publicKey, signature)).toBe(true);
        expect(other.isSignature('sha384', bytes, publicKey, signature)).toBe(false);
        expect(other.isSignature('sha256', bytes, publicKey, signature.subarray(1))).toBe(false);
        expect(other.isSignature('sha256', bytes, other.createKeyPair().publicKey, signature)).toBe(false);
      }
    }
    expect(toHex(webKeys.sha1(bytes))).toBe(toHex(nodeKeys.sha1(bytes)));
  });

  test('verifies every digest, and rejects keys of another kind', () => {
    const { privateKey, publicKey } = nodeKeys.createKeyPair();
    for (const digest of ['sha384', 'sha512'] as const) {
      expect(webKeys.isSignature(digest, bytes, publicKey, sign(digest, bytes, privateKey))).toBe(true);
    }
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spki = rsa.publicKey.export({ type: 'spki', format: 'der' });
    const signature = sign('sha256', bytes, rsa.privateKey);
    expect(() => webKeys.isSignature('sha256', bytes, spki, signature)).toThrow(
      'only keys on the curve P-256',
    );
  });

  test('reads a certificate as Node does', async () => {
    const { control } = sandboxForTest({ now: startOfYear });
    const { signingRequestPem } = await control.certificates.create();
    const issued = await control.certificates.issue(signingRequestPem ?? '');
    const node = new X509Certificate(issued.certificate);
    const authority = webKeys.readX509(issued.authority);
    for (const content of [issued.certificate, issued.der]) {
      const read = webKeys.readX509(content);
      expect(Date.parse(read.validFrom)).toBe(Date.parse(node.validFrom));
      expect(Date.parse(read.validTo)).toBe(Date.parse(node.validTo));
      expect(read.fingerprint256).toBe(node.fingerprint256);
      expect(toHex(webKeys.exportPublicKey(read))).toBe(toHex(nodeKeys.exportPublicKey(node)));
      expect(webKeys.isSignedBy(read, authority)).toBe(true);
      expect(webKeys.isSignedBy(read, read)).toBe(false);
    }
  });

  test('reports every truncated certificate as malformed, and throws no other error for a changed one', async () => {
    const { control } = sandboxForTest({ now: startOfYear });
    const { signingRequestPem } = await control.certificates.create();
    const { der } = await control.certificates.issue(signingRequestPem ?? '');
    for (let length = 0; length < der.length; length++) {
      expect(() => parseCertificate(der.subarray(0, length))).toThrow('The certificate is malformed.');
    }
    expect(() => parseCertificate(Uint8Array.of(...der, 0))).toThrow('The certificate is malformed.');
    fc.assert(
      fc.property(fc.nat(der.length - 1), fc.nat(255), (at, byte) => {
        const changed = Uint8Array.from(der);
        changed[at] = byte;
        try {
          parseCertificate(changed);
        } catch (error) {
          expect((error as Error).message).toBe('The certificate is malformed.');
        }
      }),
    );
  });
});
