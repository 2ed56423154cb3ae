import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeBase64, findConfidentialInId } from '../../src/redact/confidential-patterns.js';
import { redactRequestId } from '../../src/redact/headers.js';
import { MessageRedactor } from '../../src/redact/message-redactor.js';
import { cpuSeconds } from '../support/cpu-seconds.js';
import { credentials } from '../support/engines.js';
import { runs } from '../support/load.js';
import { openCard } from '../support/payments.js';

const { clientSecret } = credentials;
const { number } = openCard.card;
const toBase64 = (text: string) => Buffer.from(text).toString('base64');
const toBase64Url = (text: string) => Buffer.from(text).toString('base64url');
const redactor = new MessageRedactor({ secrets: [clientSecret], named: openCard });

describe('a string in base64', () => {
  const numbers = [
    'x4111111111111111',
    '4539148803436467}',
    'c=378282246310005',
    'number:4111111111111111',
    'pan-4111111111111111',
    '{"number":"4111 1111 1111 1111"}',
    'cpf 529.982.247-25',
  ];

  test.each(numbers)(
    'is hidden if it encodes a card or document number, even one that was not sent: %s',
    (text) => {
      const nothingSent = new MessageRedactor();
      for (const encoded of [toBase64(text), toBase64Url(text)]) {
        expect(nothingSent.show(`invalid: ${encoded}`)).toMatch(/^invalid: \[redacted\]=*$/);
        expect(nothingSent.isSafeId(encoded)).toBe(false);
      }
    },
  );

  test.each([
    ['a secret', `cid:${clientSecret}`],
    ['part of a secret', `cid:${clientSecret.slice(2, 12)}.`],
    ['a card number', `{"number":"${number}","cvv":`],
    ['a security code', `cvv=${openCard.card.cvv}`],
    ['a JSON-escaped name', '{"name":"Jos\\u00e9 Souza"}'],
    ['several lines of JSON', `{\n  "number": "${number}"\n}`],
  ])('is hidden if it encodes %s from the call', (_, text) => {
    const named = new MessageRedactor({
      secrets: [clientSecret],
      named: { ...openCard, customer: { name: 'José Souza' } },
    });
    // The characters before the base64 shift its groups of four.
    for (const prefix of ['', 'a', 'ab', 'abc', 'req-', 'req_1/'])
      for (const encoded of [toBase64(text), toBase64Url(text)]) {
        const id = prefix + encoded;
        expect(named.show(`invalid: ${id}`)).toMatch(/^invalid: \[redacted\]=*$/);
        expect(named.isSafeId(id)).toBe(false);
        expect(named.isSafeId(encodeURIComponent(id))).toBe(false);
        expect(named.repeatsSent(`https://files.example/?s=${id}`)).toBe(true);
      }
  });

  test.each([
    'order:1042',
    'node-1:20260303101112345678',
    'x4539148803436468',
    '{"request":"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}',
  ])('is shown as a request id if it encodes nothing confidential: %s', (text) => {
    expect(redactRequestId(toBase64(text), redactor)).toBe(toBase64(text));
  });
});

describe('an ordinary request id', () => {
  const bytes = (seed: number) => createHash('sha256').update(String(seed)).digest();
  const uuid = (hash: Buffer) =>
    hash.toString('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
  const ids = Array.from({ length: runs(1_000) }, (_, seed) => {
    const hash = bytes(seed);
    return [
      uuid(hash),
      hash.toString('hex'),
      hash.subarray(0, 16).toString('hex'),
      hash.subarray(0, 16).toString('base64url'),
      hash.subarray(0, 16).toString('base64'),
      `req_${hash.subarray(0, 12).toString('base64url')}`,
      `Root=1-${hash.toString('hex', 0, 4)}-${hash.toString('hex', 4, 16)}`,
      `${hash.toString('hex', 0, 8)}-GRU`,
    ];
  }).flat();

  test('is shown if it is a UUID, hexadecimal, base64, an AWS trace id or a CF-Ray id', () => {
    // A few of the hexadecimal ids are hidden because eleven of their digits look like a phone number.
    const ordinary = ids.filter((id) => findConfidentialInId(id).length === 0);
    expect(ordinary.length).toBeGreaterThan(ids.length * 0.999);
    expect(ordinary.filter((id) => !redactor.isSafeId(id))).toEqual([]);
  });

  test('is searched for base64 within 50 microseconds', async () => {
    const cost = await cpuSeconds(() => ids.slice(0, 8_000).map((id) => [...decodeBase64(id)]));
    expect(cost).toBeLessThan(0.4);
  });
});

test('a message full of base64 is searched within a second of CPU time', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `w${at * 7919}`.padEnd(9, 'x')).join(' ');
  const large = new MessageRedactor({ secrets: [clientSecret], personal: many.split(' ') });
  const message = toBase64('one line of a log, repeated '.repeat(50)).replace(/(.{40})/g, '$1 ');
  expect(await cpuSeconds(() => large.show(message))).toBeLessThan(1);
});
