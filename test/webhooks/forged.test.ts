import { createHmac } from 'node:crypto';
import {
  createReceiver,
  type Delivery,
  verify,
  verifyAsync,
  WebhookVerificationError,
} from 'payment-platform/webhooks';
import { expect, test } from 'vitest';
import { runs, seed } from '../support/load.js';
import { randomFrom } from '../support/random.js';

const count = runs(5_000);
const secret = 'whsec_0123456789abcdef';
const now = Date.parse('2026-01-01T12:00:00Z');
const options = { secret, now };

/** Returns a random integer below a number. */
type Random = (below: number) => number;

interface Parts {
  body: Buffer;
  timestamp: string;
  signature: string;
}

const hmac = (key: string, timestamp: string, body: Buffer, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(`${timestamp}.`).update(body).digest('hex');

/** Creates a delivery of a random size, signed by node:crypto. */
function authentic(random: Random): Parts {
  const note = 'é'.repeat(random(5)) + 'x'.repeat(random(200));
  const body = Buffer.from(JSON.stringify({ event: 'transaction.paid', id: `p-${random(1e9)}`, note }));
  const timestamp = String(Math.floor(now / 1000) - random(300));
  return { body, timestamp, signature: hmac(secret, timestamp, body) };
}

/** Lists spellings of a signature that mean the same bytes. */
const writings: readonly ((hex: string) => string)[] = [
  (hex) => hex,
  (hex) => hex.toUpperCase(),
  (hex) => `sha256=${hex}`,
  (hex) => Buffer.from(hex, 'hex').toString('base64'),
  (hex) => Buffer.from(hex, 'hex').toString('base64url'),
];

const replaceAt = (text: string, index: number, other: string) =>
  text.slice(0, index) + other + text.slice(index + 1);

/** Changes a random character to another character of an alphabet. */
function changed(text: string, alphabet: string, random: Random): string {
  const index = random(text.length);
  const others = [...alphabet].filter((character) => character !== text[index]?.toLowerCase());
  return replaceAt(text, index, others[random(others.length)] ?? '');
}

const hex = '0123456789abcdef';

/** Lists attacks without the secret. Each attack returns a delivery that differs from the given delivery. */
const forgeries: Readonly<Record<string, (parts: Parts, random: Random) => Parts>> = {
  'a bit of the body': (parts, random) => {
    const body = Buffer.from(parts.body);
    const index = random(body.length);
    body[index] = (body[index] ?? 0) ^ (1 << random(8));
    return { ...parts, body };
  },
  'a byte less': (parts, random) => {
    const at = random(parts.body.length);
    return { ...parts, body: Buffer.concat([parts.body.subarray(0, at), parts.body.subarray(at + 1)]) };
  },
  'a byte more': (parts, random) => {
    const at = random(parts.body.length + 1);
    const byte = Buffer.of(random(256));
    return { ...parts, body: Buffer.concat([parts.body.subarray(0, at), byte, parts.body.subarray(at)]) };
  },
  'another body': (parts, random) => ({ ...parts, body: authentic(random).body }),
  'an empty body': (parts) => ({ ...parts, body: Buffer.alloc(0) }),
  'another timestamp': (parts, random) => ({
    ...parts,
    timestamp: String(Number(parts.timestamp) + 1 + random(5)),
  }),
  'the same second, written otherwise': (parts) => ({ ...parts, timestamp: `${parts.timestamp}000` }),
  'a zero before the timestamp': (parts) => ({ ...parts, timestamp: `0${parts.timestamp}` }),
  'the point moved into the body': (parts) => ({
    ...parts,
    timestamp: parts.timestamp.slice(0, -1),
    body: Buffer.concat([Buffer.from(parts.timestamp.slice(-1)), parts.body]),
  }),
  'a digit of the signature': (parts, random) => ({
    ...parts,
    signature: changed(parts.signature, hex, random),
  }),
  'a character of the signature in base64': (parts, random) => {
    const text = Buffer.from(parts.signature, 'hex').toString('base64').slice(0, 43);
    const index = random(43);
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];
    const other = others.filter((character) => character !== text[index]);
    return { ...parts, signature: replaceAt(text, index, other[random(other.length)] ?? '') };
  },
  'half a signature': (parts) => ({ ...parts, signature: parts.signature.slice(0, 32) }),
  'a signature twice': (parts) => ({ ...parts, signature: `${parts.signature}, ${parts.signature}` }),
  'no signature': (parts) => ({ ...parts, signature: '' }),
  'a signature of nothing but zeros': (parts) => ({ ...parts, signature: '0'.repeat(64) }),
  'another secret': (parts) => ({ ...parts, signature: hmac(`${secret}x`, parts.timestamp, parts.body) }),
  'another algorithm': (parts) => ({
    ...parts,
    signature: hmac(secret, parts.timestamp, parts.body, 'sha512').slice(0, 64),
  }),
  'a signature of the body alone': (parts) => ({
    ...parts,
    signature: createHmac('sha256', secret).update(parts.body).digest('hex'),
  }),
  'an old delivery': (parts, random) => {
    const timestamp = String(Math.floor(now / 1000) - 301 - random(1e6));
    return { ...parts, timestamp, signature: hmac(secret, timestamp, parts.body) };
  },
  'a delivery of the future': (parts, random) => {
    const timestamp = String(Math.floor(now / 1000) + 301 + random(1e6));
    return { ...parts, timestamp, signature: hmac(secret, timestamp, parts.body) };
  },
};

const toDelivery = ({ body, timestamp, signature }: Parts): Delivery => ({
  body,
  headers: { 'x-service-timestamp': timestamp, 'x-service-signature': signature },
});

test(`none of ${count} forged or changed deliveries is accepted, and every authentic one is (rows 40 and 41)`, async () => {
  const next = randomFrom(seed);
  const random: Random = (below) => Math.floor(next() * below);
  const kinds = Object.entries(forgeries);
  const accepted: string[] = [];
  const handled: string[] = [];
  const receiver = createReceiver({
    secret,
    now: () => now,
    dedupe: false,
    onUnhandled: (event) => void handled.push(String(event.id)),
  });
  for (let index = 0; index < count; index++) {
    const good = authentic(random);
    const [kind, forge] = kinds[index % kinds.length] ?? ['', (parts: Parts) => parts];
    const forged = toDelivery(forge(good, random));
    try {
      verify(forged, options);
      accepted.push(`verify: ${kind}`);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
    }
    const writing = writings[index % writings.length]?.(good.signature) ?? '';
    const authenticOne = toDelivery({ ...good, signature: writing });
    verify(authenticOne, options);
    // The other verifiers run the same code around another HMAC, so each checks one delivery in twenty.
    if (index % 20 !== Math.floor(index / 20) % 20) continue;
    const { status, outcome } = await receiver.receive(forged);
    if (status !== 400 || outcome !== 'rejected') accepted.push(`receive: ${kind}: ${outcome}`);
    const error = await verifyAsync(forged, options).catch((error: unknown) => error);
    if (!(error instanceof WebhookVerificationError)) accepted.push(`verifyAsync: ${kind}`);
    expect((await receiver.receive(authenticOne)).status).toBe(200);
    await verifyAsync(authenticOne, options);
  }
  expect(accepted).toEqual([]);
  expect(handled).toHaveLength(Math.floor(count / 20));
}, 600_000);
