import { describe, expect, test } from 'vitest';
import { clientOn } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { closedAfterEach } from '../support/resources.js';
import { id, wireForms } from '../support/wire-forms.js';

const opens = closedAfterEach();
const der = Uint8Array.of(0x30, 0x81, 0x80, ...Array.from({ length: 128 }, (_, index) => index));
const base64 = Buffer.from(der).toString('base64');
const pem = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

describe('certificates.activate recognises what it is given', () => {
  test.each([
    ['PEM', pem, pem],
    [
      'PEM with Windows line ends',
      pem.replaceAll('\n', '\r\n'),
      pem.replaceAll('\n', '\r\n').replace(/\r\n$/, '\n'),
    ],
    ['PEM with what openssl writes above it', `Bag Attributes\n  friendlyName: x\n${pem}`, pem],
    ['PEM as bytes', Buffer.from(pem), pem],
    ['DER as bytes, a .cer file', der, base64],
    ['DER as an ArrayBuffer', der.buffer, base64],
    ['DER in base64', base64, base64],
    ['DER in base64 with line breaks', `${base64.replace(/.{76}/g, '$&\r\n')}\n`, base64],
    ['DER in base64, as bytes', Buffer.from(base64), base64],
  ])('%s', async (_name, certificate, sent) => {
    const server = opens(
      await formServer((response) => json(response, 200, wireForms['certificates.activate'].answer)),
    );
    const platform = opens(clientOn('node', server.url));
    await platform.certificates.activate(id, { certificate });
    expect(JSON.parse(server.received[0]?.body.toString() ?? '')).toEqual({ certificate: sent });
  });
});

test('certificates.list without a filter asks for all', async () => {
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
