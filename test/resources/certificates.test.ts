import { generateKeyPairSync } from 'node:crypto';
import type { ValidationError } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { describe, expect, test } from 'vitest';
import { wireForms } from '../operations/index.js';
import { certificateDer } from '../support/certificate.js';
import { catchError, clientOn } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { id } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();
const der = certificateDer;
const base64 = Buffer.from(der).toString('base64');
const pem = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

describe('certificates.activate', () => {
  test.each([
    ['PEM', pem, pem],
    ['PEM with Windows line ends', pem.replaceAll('\n', '\r\n'), pem],
    ['PEM with old Macintosh line ends', pem.replaceAll('\n', '\r'), pem],
    ['PEM with indented lines', pem.replaceAll('\n', '\n  '), pem],
    ['base64 as UTF-8 with a byte order mark', Buffer.from(`\ufeff${base64}`), base64],
    ['PEM with the lines that openssl writes above it', `Bag Attributes\n  friendlyName: x\n${pem}`, pem],
    ['PEM as bytes', Buffer.from(pem), pem],
    ['DER as bytes, a .cer file', der, base64],
    ['DER as an ArrayBuffer', der.buffer, base64],
    ['DER in base64', base64, base64],
    ['DER in base64 with line breaks', `${base64.replace(/.{76}/g, '$&\r\n')}\n`, base64],
    ['DER in base64, as bytes', Buffer.from(base64), base64],
  ])('accepts %s', async (_name, certificate, sent) => {
    const server = opens(
      await formServer((response) => json(response, 200, wireForms['certificates.activate'].response)),
    );
    const platform = opens(clientOn('node', server.url));
    await platform.certificates.activate(id, { certificate });
    expect(JSON.parse(server.received[0]?.body.toString() ?? '')).toEqual({ certificate: sent });
  });
});

describe('certificates.activate with a private key, a signing request or garbage', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const encrypted = { format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
  const keys: Record<string, Buffer> = {
    'PKCS#8': privateKey.export({ format: 'der', type: 'pkcs8' }),
    'PKCS#8, encrypted': privateKey.export(encrypted),
    SEC1: privateKey.export({ format: 'der', type: 'sec1' }),
    'PKCS#1': rsa.export({ format: 'der', type: 'pkcs1' }),
  };
  const getRejection = async (certificate: string | Uint8Array) => {
    const server = opens(await formServer((response) => json(response, 200, {})));
    const platform = opens(clientOn('node', server.url));
    const error = await catchError<ValidationError>(platform.certificates.activate(id, { certificate }));
    expect(server.received).toHaveLength(0);
    expect(error.name).toBe('ValidationError');
    return error.issues[0]?.message;
  };

  test.each(Object.entries(keys))('rejects a private key as %s', async (_name, key) => {
    const text = key.toString('base64');
    for (const input of [key, text, `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`])
      expect(await getRejection(input)).toMatch(/Never send a private key/);
  });

  test('rejects a signing request and a PKCS#7 bundle', async () => {
    const sandbox = opens(createSandbox());
    const { signingRequestPem = '' } = await sandbox.control.certificates.create();
    const request = Buffer.from((signingRequestPem ?? '').replace(/-----[^-]*-----/g, ''), 'base64');
    expect(await getRejection(request)).toMatch(/A CSR/);
    expect(await getRejection(request.toString('base64'))).toMatch(/A CSR/);
    const bundle = Uint8Array.of(
      0x30,
      0x0b,
      0x06,
      0x09,
      0x2a,
      0x86,
      0x48,
      0x86,
      0xf7,
      0x0d,
      0x01,
      0x07,
      0x02,
    );
    expect(await getRejection(bundle)).toMatch(/PKCS#7/);
  });

  test.each([
    ['garbage in a PEM', '-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----'],
    [
      'an ASN.1 sequence in a PEM that is not a certificate',
      '-----BEGIN CERTIFICATE-----\nMAIFAA==\n-----END CERTIFICATE-----',
    ],
    ['a certificate cut short', certificateDer.subarray(0, 200)],
    ['a certificate with data after it', Uint8Array.from([...certificateDer, 0])],
  ])('rejects %s', async (_name, certificate) => {
    expect(await getRejection(certificate)).toMatch(/^must be one certificate/);
  });
});

test('certificates.list without a filter sends no query', async () => {
  const server = opens(await formServer((response) => json(response, 200, { data: [] })));
  const platform = opens(clientOn('node', server.url, { fieldNames: { 'certificates.type': 'kind' } }));
  await platform.certificates.list();
  await platform.certificates.list({});
  await platform.certificates.list({ type: 'apple_pay_payment_processing' });
  expect(server.received.map(({ path }) => path)).toEqual([
    '/v1/certificates',
    '/v1/certificates',
    '/v1/certificates?kind=apple_pay_payment_processing',
  ]);
});
