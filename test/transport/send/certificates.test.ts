import { Agent } from 'node:https';
import type { PaymentPlatformError } from 'payment-platform';
import { beforeEach, expect, test, vi } from 'vitest';
import { catchError, clientOn } from '../../support/engines.js';
import { paid, pix } from '../../support/payments.js';
import { closedAfterEach } from '../../support/resources.js';
import { testAuthority } from '../../support/test-authority.js';
import { tlsPlatform } from '../../support/tls-platform.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const authority = testAuthority();
const { ca } = authority;

/**
 * Starts a platform with a certificate from the private authority, and creates clients that call it through
 * an agent.
 */
async function shop(options: Partial<Parameters<typeof tlsPlatform>[0]> = {}) {
  const platform = opens(await tlsPlatform({ ...authority.issue('localhost'), ...options }));
  const clientWith = (agent: Agent) => {
    opens({ close: () => agent.destroy() });
    return opens(clientOn('node', `https://localhost:${platform.port}`, { agent }));
  };
  return { platform, clientWith };
}

test('an agent makes the client trust a private authority’s certificate', async () => {
  const { platform, clientWith } = await shop();
  await expect(clientWith(new Agent({ ca })).payments.create(pix)).resolves.toEqual(paid);
  expect(platform.requests).toHaveLength(1);
});

test('a private authority’s certificate that no agent trusts is rejected and not retried (row 1)', async () => {
  const { platform, clientWith } = await shop();
  const error = await catchError<PaymentPlatformError>(clientWith(new Agent()).payments.create(pix));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 1 });
  expect(platform.requests).toEqual([]);
});

const mutual = { ca, requestCert: true, rejectUnauthorized: true };

test('the client presents the certificate of its agent for mTLS', async () => {
  const { platform, clientWith } = await shop(mutual);
  const own = authority.issue('merchant-1');
  await expect(clientWith(new Agent({ ca, ...own })).payments.create(pix)).resolves.toEqual(paid);
  expect(platform.requests).toEqual([{ path: '/v1/payments', clientName: 'merchant-1' }]);
});

test.each([
  // The server rejects the client within the handshake, before a byte of the request can be sent.
  ['TLSv1.2', { outcome: 'not-executed', attempts: 3 }],
  // The server rejects the client after the handshake, when part of the request can already be sent.
  ['TLSv1.3', { outcome: 'unknown', attempts: 1 }],
] as const)(
  'a call without its client certificate on %s executes nothing, and is retried only if nothing was sent (rows 1 and 56)',
  async (version, expected) => {
    const { platform, clientWith } = await shop({ ...mutual, minVersion: version, maxVersion: version });
    const error = await catchError<PaymentPlatformError>(
      clientWith(new Agent({ ca })).payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', ...expected });
    expect(platform.requests).toEqual([]);
  },
);

test('if the server rejects an mTLS certificate from a different authority, the outcome is unknown (row 56)', async () => {
  const { platform, clientWith } = await shop(mutual);
  const foreign = testAuthority('Another').issue('merchant-1');
  const error = await catchError<PaymentPlatformError>(
    clientWith(new Agent({ ca, ...foreign })).payments.create(pix),
  );
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  expect(platform.requests).toEqual([]);
});

test('the TLS handshake sends the host as the server name, but never an IP address', async () => {
  const names: string[] = [];
  const { platform } = await shop({
    SNICallback(name, done) {
      names.push(name);
      done(null);
    },
  });
  for (const host of ['localhost', '127.0.0.1']) {
    const client = opens(clientOn('node', `https://${host}:${platform.port}`));
    expect(await catchError(client.payments.create(pix))).toMatchObject({ outcome: 'not-executed' });
  }
  expect(names).toEqual(['localhost']);
});

test.each<[string, Parameters<typeof shop>[0], RegExp]>([
  [
    'a server that asks for a certificate',
    { ...mutual, minVersion: 'TLSv1.3' },
    /ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: the server sent the TLS alert "certificate required"/,
  ],
  [
    'a server that speaks only TLS 1.1',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    /ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: the server sent the TLS alert "protocol version"/,
  ],
  [
    'a server that speaks only HTTP/2',
    { ALPNProtocols: ['h2'] },
    /ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: the server speaks only HTTP\/2, and this client needs HTTP\/1\.1/,
  ],
])('the error names the TLS alert of %s, and does not suggest plain http', async (_, options, says) => {
  const { clientWith } = await shop(options);
  const error = await catchError<PaymentPlatformError>(
    clientWith(new Agent({ ca, ALPNProtocols: ['http/1.1'] })).payments.create(pix),
  );
  expect(error.message).toMatch(says);
  expect(error.message).not.toContain('plain http');
});
