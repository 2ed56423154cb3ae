import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ValidationError } from 'payment-platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireForms } from '../operations/index.js';
import { certificate, certificateDer } from '../support/certificate.js';
import { clientOn } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { id } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();
const noOpenssl = spawnSync('openssl', ['version']).status !== 0;

/** Returns the certificate that was sent, or the rejection's message. */
async function activated(input: unknown): Promise<{ sent?: string; rejection?: string }> {
  const server = opens(
    await formServer((response) => json(response, 200, wireForms['certificates.activate'].response)),
  );
  const platform = opens(clientOn('node', server.url));
  try {
    await platform.certificates.activate(id, { certificate: input as string });
  } catch (error) {
    expect(server.received).toHaveLength(0);
    expect((error as ValidationError).name).toBe('ValidationError');
    return { rejection: (error as ValidationError).issues.map(({ message }) => message).join() };
  }
  const body = JSON.parse(server.received[0]?.body.toString() ?? '') as { certificate: string };
  return { sent: body.certificate };
}

const pem = certificate.cert;
const base64 = Buffer.from(certificateDer).toString('base64');
const labelled = (label: string, content = base64) =>
  `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`;

/** Encodes DER by hand, for structures that openssl does not write. */
const sequence = (...parts: Iterable<number>[]) => {
  const content = parts.flatMap((part) => [...part]);
  return Uint8Array.of(0x30, content.length, ...content);
};
const algorithm = [0x30, 4, 6, 2, 0x2a, 3];

describe('certificates.activate with an unusual but valid certificate', () => {
  test.each<[name: string, input: unknown, sent: string]>([
    ['the old label X509 CERTIFICATE', labelled('X509 CERTIFICATE'), pem],
    ['a revocation list before the certificate', `${labelled('X509 CRL', 'AAAA')}${pem}`, pem],
    ['text before and after the certificate', `subject=/CN=x\n${pem}\nthat was it`, pem],
    ['a byte order mark and Windows line ends', `\ufeff${pem.replaceAll('\n', '\r\n')}`, pem],
    ['URL-safe base64', Buffer.from(certificateDer).toString('base64url'), base64],
    ['base64 without its padding', base64.replace(/=+$/, ''), base64],
    [
      'shared memory',
      new Uint8Array(new SharedArrayBuffer(certificateDer.length)).map((_, at) => certificateDer[at] ?? 0),
      base64,
    ],
  ])('accepts %s', async (_name, input, sent) => {
    expect(await activated(input)).toEqual({ sent });
  });
});

describe('certificates.activate with a value that is not a certificate', () => {
  const other = /^must be one certificate.*is not a certificate\. Never send a private key/;
  const privateKey = /^contains a private key, which you must never send/;

  test.each<[name: string, input: unknown, sentence: RegExp]>([
    ['an empty string', '', /^must not be empty$/],
    ['an empty Uint8Array', new Uint8Array(), /^must not be empty$/],
    ['a PEM without its last line', pem.slice(0, 300), other],
    ['a PEM with another last line', pem.replace('END CERTIFICATE', 'END X509 CRL'), other],
    ['DER cut short', certificateDer.subarray(0, 200), /got one that is cut short$/],
    ['DER with data after it', Uint8Array.from([...certificateDer, 0]), /got data after it$/],
    ['two certificates', pem + pem, /^contains 2 certificates/],
    ['TRUSTED CERTIFICATE', labelled('TRUSTED CERTIFICATE'), other],
    ['PKCS7', labelled('PKCS7', 'AAAA'), other],
    ['DH PARAMETERS', labelled('DH PARAMETERS', 'AAAA'), other],
    ['a key cut short', '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG', privateKey],
    ['an encrypted key with header lines', labelled('RSA PRIVATE KEY', 'Proc-Type: 4\n\nAAAA'), privateKey],
    ['a key after a certificate', pem + certificate.key, privateKey],
    ['a CRL in version 2', sequence(sequence([2, 1, 1], algorithm, [0x30, 0], [0x17, 1, 0x5a])), other],
    ['a CRL without a version', sequence(sequence(algorithm, [0x30, 0], [0x18, 1, 0x5a])), other],
    ['an attribute certificate', sequence(sequence([2, 1, 1], [0x30, 2, 0xa0, 0])), other],
    ['a sequence without content', sequence(), other],
    ['a URL', 'https://authority.example/it.cer', /^must be one certificate: PEM/],
    ['a number', 7, /^must be a string, or the bytes/],
  ])('rejects %s with a specific error', async (_name, input, sentence) => {
    expect((await activated(input)).rejection).toMatch(sentence);
  });

  test.each([100_000, 5_000_000])('rejects %i characters that only begin as PEM', async (length) => {
    const begins = '-----BEGIN CERTIFICATE-----\n'.repeat(length).slice(0, length);
    for (const text of [begins, `${begins.slice(0, -17)}-----END X-----\n`, base64.padEnd(length, 'QUFB')])
      expect((await activated(text)).rejection).toMatch(/^must be one certificate/);
  });

  test('rejects more than 100,000 characters, even if they contain a certificate', async () => {
    const long = pem.padEnd(100_000, 'text ');
    expect((await activated(long)).sent).toBe(pem);
    expect((await activated(`${long}.`)).rejection).toMatch(/^must be one certificate/);
  });
});

test('a private key in extraBody is rejected, and nothing is sent', async () => {
  const server = opens(await formServer((response) => json(response, 200, {})));
  const platform = opens(clientOn('node', server.url));
  for (const other of [certificate.key, `${pem}${certificate.key}`, 5]) {
    const extraBody = { certificate: other };
    const activated = platform.certificates.activate(id, { certificate: pem }, { extraBody });
    await expect(activated).rejects.toMatchObject({
      name: 'ValidationError',
      issues: [{ path: expect.stringMatching('certificate') }],
    });
  }
  expect(server.received).toHaveLength(0);
});

describe.skipIf(noOpenssl)('certificates.activate with a file from openssl', () => {
  let folder = '';
  const at = (name: string) => join(folder, name);
  const openssl = (...command: string[]) => {
    const { status, stderr } = spawnSync('openssl', command, {
      encoding: 'utf8',
      timeout: 10_000,
      cwd: folder,
    });
    expect(status, stderr).toBe(0);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    writeFileSync(at('key.pem'), certificate.key);
    writeFileSync(at('cert.pem'), certificate.cert);
    writeFileSync(at('index.txt'), '');
    writeFileSync(
      at('ca.cnf'),
      '[ca]\ndefault_ca=x\n[x]\ndatabase=index.txt\ndefault_md=sha256\ndefault_crl_days=1\n',
    );
    openssl(
      'ca',
      '-gencrl',
      '-config',
      'ca.cnf',
      '-keyfile',
      'key.pem',
      '-cert',
      'cert.pem',
      '-out',
      'crl.pem',
    );
    openssl('crl', '-in', 'crl.pem', '-outform', 'DER', '-out', 'crl.der');
    openssl('x509', '-in', 'cert.pem', '-trustout', '-addtrust', 'serverAuth', '-out', 'trusted.pem');
    openssl('crl2pkcs7', '-nocrl', '-certfile', 'cert.pem', '-out', 'bundle.pem');
    openssl('crl2pkcs7', '-nocrl', '-certfile', 'cert.pem', '-outform', 'DER', '-out', 'bundle.der');
    openssl(
      'pkcs12',
      '-export',
      '-inkey',
      'key.pem',
      '-in',
      'cert.pem',
      '-passout',
      'pass:x',
      '-out',
      'store.p12',
    );
    openssl('pkey', '-in', 'key.pem', '-pubout', '-out', 'public.pem');
    openssl('pkey', '-in', 'key.pem', '-pubout', '-outform', 'DER', '-out', 'public.der');
    openssl('genrsa', '-out', 'rsa.pem', '1024');
    openssl('rsa', '-in', 'rsa.pem', '-RSAPublicKey_out', '-outform', 'DER', '-out', 'rsa-public.der');
    openssl('req', '-new', '-key', 'key.pem', '-subj', '/CN=x', '-outform', 'DER', '-out', 'request.der');
    openssl('req', '-new', '-key', 'key.pem', '-subj', '/', '-outform', 'DER', '-out', 'nameless.der');
    openssl(
      'ocsp',
      '-index',
      'index.txt',
      '-CA',
      'cert.pem',
      '-rsigner',
      'cert.pem',
      '-rkey',
      'key.pem',
      '-issuer',
      'cert.pem',
      '-serial',
      '1',
      '-respout',
      'status.der',
    );
    openssl('x509', '-in', 'cert.pem', '-text', '-out', 'text.pem');
    openssl('x509', '-in', 'trusted.pem', '-out', 'plain.pem');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    'crl.pem',
    'crl.der',
    'trusted.pem',
    'bundle.pem',
    'bundle.der',
    'store.p12',
    'public.pem',
    'public.der',
    'rsa-public.der',
    'request.der',
    'nameless.der',
    'status.der',
  ])('rejects the file %s, as bytes and in base64', async (name) => {
    const bytes = readFileSync(at(name));
    const expected = /^must be one certificate.*Never send a private key, or a PKCS#12 file/;
    expect((await activated(bytes)).rejection).toMatch(expected);
    const text = name.endsWith('.pem') ? bytes.toString() : bytes.toString('base64');
    expect((await activated(text)).rejection).toMatch(expected);
  });

  test.each(['text.pem', 'plain.pem'])('sends the certificate in the file %s', async (name) => {
    expect(await activated(readFileSync(at(name)))).toEqual({ sent: pem });
  });
});
