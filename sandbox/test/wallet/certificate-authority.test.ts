import { spawnSync } from 'node:child_process';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../../random/random.js';
import { State } from '../../state/state.js';
import { Clock } from '../../time/clock.js';
import { CertificateAuthority } from '../../wallet/certificate-authority.js';
import { Certificates } from '../../wallet/certificates.js';
import { startOfYear } from '../support.js';

function sandboxAt(time: string = startOfYear) {
  const clock = new Clock(Date.parse(time));
  const authority = new CertificateAuthority(clock, new Random(1, 'authority'), new State(1));
  return {
    clock,
    authority,
    certificates: new Certificates(clock, new Random(1, 'certificates'), authority, new State(1)),
  };
}

async function createSigningRequest(certificates: Certificates, merchantIdentifier = 'merchant.example') {
  const { signingRequestPem } = await certificates.create({ merchantIdentifier });
  return signingRequestPem ?? '';
}

describe('the sandbox’s certificate authority', () => {
  test('issues a certificate for the request’s key and subject, as PEM and as DER', async () => {
    const { authority, certificates } = sandboxAt();
    const {
      certificate,
      der,
      authority: root,
    } = await authority.issue(await createSigningRequest(certificates));
    const read = new X509Certificate(certificate);
    expect(read.subject).toBe('CN=merchant.example');
    expect(read.issuer).toBe('CN=Payment Platform Sandbox Test Authority');
    expect(read.ca).toBe(false);
    expect(read.checkIssued(new X509Certificate(root))).toBe(true);
    expect(Buffer.from(der)).toEqual(read.raw);
    expect(authority.hasIssued(read)).toBe(true);
  });

  test('issues a certificate that is valid for 760 days from now on the sandbox’s clock, even after 2050', async () => {
    const { clock, authority, certificates } = sandboxAt('2049-06-01T12:00:00.500Z');
    const { certificate } = await authority.issue(await createSigningRequest(certificates));
    const { validFrom, validTo } = new X509Certificate(certificate);
    expect(new Date(validFrom).toISOString()).toBe('2049-06-01T12:00:00.000Z');
    expect(new Date(validTo).toISOString()).toBe('2051-07-01T12:00:00.000Z');
    await clock.advance('1d');
    const later = await authority.issue(await createSigningRequest(certificates));
    expect(Date.parse(new X509Certificate(later.certificate).validFrom) - Date.parse(validFrom)).toBe(
      86_400_000,
    );
  });

  test('is created only once for two concurrent requests, and numbers each certificate differently', async () => {
    const { authority, certificates } = sandboxAt();
    const requests = [await createSigningRequest(certificates), await createSigningRequest(certificates)];
    const [one, other] = await Promise.all(requests.map((request) => authority.issue(request)));
    expect(one?.authority).toBe(other?.authority);
    const serials = [one, other].map((issued) => new X509Certificate(issued?.certificate ?? '').serialNumber);
    expect(new Set(serials).size).toBe(2);
    for (const serial of serials) expect(serial).toMatch(/^4[0-9A-F]{31}$/);
  });

  test('has a different key in each sandbox, although its name is the same', async () => {
    const [one, other] = [sandboxAt(), sandboxAt()];
    const { certificate } = await one.authority.issue(await createSigningRequest(one.certificates));
    expect(other.authority.hasIssued(new X509Certificate(certificate))).toBe(false);
    await other.authority.issue(await createSigningRequest(other.certificates));
    expect(other.authority.hasIssued(new X509Certificate(certificate))).toBe(false);
  });

  test('does not print its key', async () => {
    const { authority, certificates } = sandboxAt();
    await authority.issue(await createSigningRequest(certificates));
    expect(inspect(authority, { depth: 10, showHidden: true })).not.toMatch(/KeyObject|PRIVATE/);
    expect(JSON.stringify(authority)).toBe('{}');
  });
});

describe('the sandbox’s certificate authority with an invalid signing request', () => {
  const wrapped = (bytes: Buffer) =>
    `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  const toDer = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');

  test.each(['', 'hello', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'rejects %j',
    async (text) => {
      await expect(sandboxAt().authority.issue(text)).rejects.toThrow(
        'The certificate signing request is not PEM',
      );
    },
  );

  test('rejects bytes that are not PKCS#10', async () => {
    const { authority, certificates } = sandboxAt();
    const der = toDer(await createSigningRequest(certificates));
    for (const bytes of [Buffer.from('nonsense'), der.subarray(0, 60)]) {
      await expect(authority.issue(wrapped(bytes))).rejects.toThrow('is not PKCS#10');
    }
  });

  test('rejects a request that was changed after it was signed', async () => {
    const { authority, certificates } = sandboxAt();
    const der = toDer(await createSigningRequest(certificates));
    const at = der.indexOf('merchant.example');
    der.write('attacker', at);
    await expect(authority.issue(wrapped(der))).rejects.toThrow('not signed with its own key');
  });

  test('rejects a request with another request’s key', async () => {
    const { authority, certificates } = sandboxAt();
    const [one, other] = [
      toDer(await createSigningRequest(certificates)),
      toDer(await createSigningRequest(certificates)),
    ];
    // Finds the point of a P-256 key, which starts with the byte 4 after an empty bit count.
    const keyAt = (der: Buffer) => der.indexOf(Buffer.from([0x03, 0x42, 0x00, 0x04])) + 4;
    other.copy(one, keyAt(one), keyAt(other), keyAt(other) + 64);
    await expect(authority.issue(wrapped(one))).rejects.toThrow('not signed with its own key');
  });

  test('rejects a request with an unsupported signature algorithm', async () => {
    const { authority, certificates } = sandboxAt();
    const der = toDer(await createSigningRequest(certificates));
    const ecdsaWithSha256 = Buffer.from('2a8648ce3d040302', 'hex');
    // The last byte 1 makes the identifier SHA-224.
    der[der.indexOf(ecdsaWithSha256) + ecdsaWithSha256.length - 1] = 1;
    await expect(authority.issue(wrapped(der))).rejects.toThrow('signed with 1.2.840.10045.4.3.1');
  });
});

const noOpenssl = spawnSync('openssl', ['version']).status !== 0;

function openssl(...command: string[]) {
  const { status, stdout, stderr } = spawnSync('openssl', command, { encoding: 'utf8', timeout: 10_000 });
  return { status, output: stdout + stderr };
}

/** Creates a folder for one test's files. */
function workshop() {
  const folder = mkdtempSync(join(tmpdir(), 'payment-platform-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return {
    file(name: string, content: string | Uint8Array = '') {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

describe.skipIf(noOpenssl)('openssl', () => {
  const seconds = (time: string) => String(Date.parse(time) / 1_000);

  test('accepts the sandbox’s signing request', async () => {
    const { certificates } = sandboxAt();
    const { file } = workshop();
    const request = file('request.pem', await createSigningRequest(certificates));
    const { status, output } = openssl('req', '-in', request, '-verify', '-noout', '-subject', '-text');
    expect(status).toBe(0);
    expect(output).toMatch(/verify OK/i);
    expect(output).toContain('CN = merchant.example');
    expect(output).toContain('ASN1 OID: prime256v1');
  });

  test('accepts a sandbox’s certificate only during its period of validity', async () => {
    const { authority, certificates } = sandboxAt();
    const { file } = workshop();
    const issued = await authority.issue(await createSigningRequest(certificates));
    const root = file('root.pem', issued.authority);
    const leaf = file('leaf.pem', issued.certificate);
    const verify = (time: string) =>
      openssl('verify', '-x509_strict', '-attime', seconds(time), '-CAfile', root, leaf);
    expect(verify('2026-01-02T00:00:00Z')).toEqual({ status: 0, output: `${leaf}: OK\n` });
    expect(verify('2025-12-31T00:00:00Z').output).toContain('not yet valid');
    expect(verify('2028-02-01T00:00:00Z').output).toContain('expired');
  });

  test('rejects a sandbox’s certificate if it trusts only another sandbox’s authority', async () => {
    const [one, other] = [sandboxAt(), sandboxAt()];
    const { file } = workshop();
    const leaf = file(
      'leaf.pem',
      (await one.authority.issue(await createSigningRequest(one.certificates))).certificate,
    );
    const issued = await other.authority.issue(await createSigningRequest(other.certificates));
    const root = file('root.pem', issued.authority);
    const verified = openssl('verify', '-attime', seconds('2026-01-02T00:00:00Z'), '-CAfile', root, leaf);
    expect(verified).toEqual({
      status: 2,
      output: expect.stringContaining('unable to get local issuer certificate'),
    });
  });

  test('reads the bytes of the sandbox’s .cer file', async () => {
    const { authority, certificates } = sandboxAt();
    const { file } = workshop();
    const { der } = await authority.issue(await createSigningRequest(certificates));
    const cer = file('leaf.cer', der);
    expect(openssl('x509', '-inform', 'DER', '-in', cer, '-noout', '-text').output).toContain(
      'Key Agreement',
    );
  });

  test.each([
    ['EC', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'], '-sha384'],
    ['RSA', ['rsa:2048'], '-sha256'],
  ])(
    'creates a signing request with a %s key, and the sandbox issues its certificate',
    async (_, kind, digest) => {
      const { file } = workshop();
      const [key, request] = [file('key.pem'), file('request.pem')];
      const made = openssl(
        ...['req', '-new', '-nodes', '-newkey', ...kind, digest, '-keyout', key],
        ...['-subj', '/O=Shop/CN=merchant.shop', '-out', request],
      );
      expect(made.status).toBe(0);
      const pem = openssl('req', '-in', request).output;
      const { certificate } = await sandboxAt().authority.issue(pem);
      const read = new X509Certificate(certificate);
      const expected = createPublicKey(openssl('req', '-in', request, '-noout', '-pubkey').output);
      expect(read.publicKey.equals(expected)).toBe(true);
      expect(read.subject).toBe('O=Shop\nCN=merchant.shop');
    },
  );
});
