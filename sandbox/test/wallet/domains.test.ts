import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { registerDomainOperation } from '../../../src/contract/domains/operations.js';
import { findSchemas } from '../../../src/contract/schemas.js';
import { findFreePort } from '../../../test/support/free-port.js';
import { findContractIssues } from '../../arguments/contract-issues.js';
import { createWalletControl } from '../../control/wallet-control.js';
import { findBehaviour } from '../../defaults/all.js';
import { longestVerificationFile, verificationPath } from '../../defaults/wallet.js';
import { type WalletCall, walletHandlers } from '../../http/handlers/wallet-handlers.js';
import { Random } from '../../random/random.js';
import { State } from '../../state/state.js';
import { Clock } from '../../time/clock.js';
import { CertificateAuthority } from '../../wallet/certificate-authority.js';
import { Certificates } from '../../wallet/certificates.js';
import { Domains } from '../../wallet/domains.js';
import { call, sandboxForTest, signal, startOfYear } from '../support.js';

function merchant(purpose = 'domains') {
  const clock = new Clock(Date.parse(startOfYear));
  const closing = new AbortController();
  return {
    clock,
    closing,
    behaviour: findBehaviour(),
    domains: new Domains(clock, new Random(1, purpose), closing.signal, new State(1)),
  };
}

/** Starts a merchant's web server on a real socket. */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serving = (content: string | Buffer) =>
  startServer((request, response) => {
    response.writeHead(request.url === verificationPath ? 200 : 404).end(content);
  });

function registered({ domains }: { domains: Domains }, name = 'shop.example') {
  const { domain } = domains.register(name);
  return { id: domain.id, content: domain.verificationFile?.content ?? '' };
}

describe('the registration of a wallet domain', () => {
  test('returns a pending domain with the file to host', () => {
    expect(merchant().domains.register('shop.example')).toEqual({
      isNew: true,
      domain: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        domainName: 'shop.example',
        status: 'pending',
        createdAt: startOfYear,
        verificationFile: {
          path: '/.well-known/apple-developer-merchantid-domain-association',
          content: expect.stringMatching(/^[0-9a-f]{256}$/),
        },
      },
    });
  });

  test('returns the existing domain if its name is registered again in a different letter case', async () => {
    const { clock, domains } = merchant();
    const { domain } = domains.register('Shop.example');
    await clock.advance('1h');
    expect(domains.register('shop.EXAMPLE')).toEqual({ isNew: false, domain });
    expect(domains.list()).toHaveLength(1);
  });

  test('stores a subdomain as a separate domain, and lists domains without their files', () => {
    const { domains } = merchant();
    for (const name of ['shop.example', 'pay.shop.example']) domains.register(name);
    expect(domains.list().map(({ domainName }) => domainName)).toEqual(['shop.example', 'pay.shop.example']);
    expect(domains.list()[0]).not.toHaveProperty('verificationFile');
  });

  test('creates the same id and file for the same seed, and returns a copy', () => {
    const [one, other] = [merchant().domains, merchant().domains];
    expect(one.register('shop.example')).toEqual(other.register('shop.example'));
    const shown = one.register('shop.example').domain;
    shown.status = 'verified';
    expect(one.list()[0]?.status).toBe('pending');
  });
});

describe('the verification of a wallet domain', () => {
  test.each(['', '\n', '\r\n'])('succeeds if the file’s exact content is followed by %j', async (end) => {
    const { clock, domains } = merchant();
    const { id, content } = registered({ domains });
    await clock.advance('5m');
    const from = await serving(content + end);
    const domain = await domains.verify(id, { from });
    expect(domain).toEqual({
      id,
      domainName: 'shop.example',
      status: 'verified',
      verifiedAt: '2026-01-01T00:05:00.000Z',
      createdAt: startOfYear,
    });
    expect(domains.list()).toEqual([domain]);
  });

  test.each([
    ['different content', (content: string) => content.replace(/.$/, 'x')],
    ['less content', (content: string) => content.slice(1)],
    ['more content', (content: string) => `${content}\n\n`],
    ['content in front', (content: string) => `\ufeff${content}`],
    ['no content', () => ''],
  ])('fails for a file with %s', async (_, change) => {
    const { domains } = merchant();
    const { id, content } = registered({ domains });
    const served = change(content);
    const domain = await domains.verify(id, { from: await serving(served) });
    expect(domain.status).toBe('failed');
    expect(domain).not.toHaveProperty('verifiedAt');
    expect(domain.lastVerificationError).toContain('differs from the content of the verification file');
    expect(domain.lastVerificationError).toContain(`${Buffer.byteLength(served)} bytes`);
    expect(domains.list()).toEqual([domain]);
  });

  test('fails if the response with the file is not a 200, and the message names its status', async () => {
    const { domains } = merchant();
    const from = await startServer((_, response) => response.writeHead(503).end());
    const { lastVerificationError } = await domains.verify(registered({ domains }).id, { from });
    expect(lastVerificationError).toBe(`${from}${verificationPath} responded with 503, not 200.`);
  });

  test('does not follow a redirect, and fails', async () => {
    const { domains } = merchant();
    const { id, content } = registered({ domains });
    const paths: (string | undefined)[] = [];
    const from = await startServer((request, response) => {
      paths.push(request.url);
      if (request.url === verificationPath) response.writeHead(302, { location: '/moved' }).end();
      else response.end(content);
    });
    const domain = await domains.verify(id, { from });
    expect(domain.lastVerificationError).toContain(
      'responded with 302, not 200 (redirects are not followed)',
    );
    expect(paths).toEqual([verificationPath]);
  });

  test('fails for an unreachable server, and the message names the reason', async () => {
    const { domains } = merchant();
    const port = await findFreePort();
    const domain = await domains.verify(registered({ domains }).id, { from: `http://127.0.0.1:${port}` });
    expect(domain.status).toBe('failed');
    expect(domain.lastVerificationError).toMatch(/could not be fetched: connect ECONNREFUSED .+\.$/);
  });

  test('fails if the connection is lost in the middle of the file', async () => {
    const { domains } = merchant();
    const { id, content } = registered({ domains });
    const from = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.slice(0, 10), () => response.destroy());
    });
    expect((await domains.verify(id, { from })).lastVerificationError).toContain('could not be fetched');
  });

  test.each([
    [200, `longer than ${longestVerificationFile} bytes`],
    [503, 'responded with 503'],
  ])(
    'stops reading an endless response with status %i',
    async (status, message) => {
      const { domains } = merchant();
      const closed = signal();
      const from = await startServer((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(16_384)));
        };
        response.writeHead(status).on('drain', more).on('close', closed.fire);
        more();
      });
      const domain = await domains.verify(registered({ domains }).id, { from });
      expect(domain.lastVerificationError).toContain(message);
      await closed.promise;
      // Garbage collection would also close the connection, but some seconds later.
    },
    3_000,
  );

  test.each(['before its headers', 'within its body'])('times out if the server stops %s', async (when) => {
    const { domains } = merchant();
    const reached = signal();
    const from = await startServer((_, response) => {
      if (when === 'within its body') response.writeHead(200).write('abc');
      reached.fire();
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pending = domains.verify(registered({ domains }).id, { from });
    await reached.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await pending).lastVerificationError).toContain('it did not arrive within 10 seconds');
  });

  test('ends without changing the domain when the sandbox is closed', async () => {
    const { closing, domains } = merchant();
    const reached = signal();
    const from = await startServer(() => reached.fire());
    const pending = domains.verify(registered({ domains }).id, { from });
    await reached.promise;
    closing.abort(new Error('The sandbox is closed.'));
    await expect(pending).rejects.toThrow('The sandbox is closed.');
    expect(domains.list()[0]?.status).toBe('pending');
    await expect(domains.verify(domains.list()[0]?.id ?? '', { from })).rejects.toThrow('closed');
  });

  test('fetches the file from the domain over https by default', async () => {
    const { domains } = merchant();
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    const domain = await domains.verify(registered({ domains }).id);
    expect(fetched.mock.calls[0]?.[0]).toBe(`https://shop.example${verificationPath}`);
    expect(domain.lastVerificationError).toContain('fetch failed');
  });

  test('can succeed after a failure, and then removes the domain’s error', async () => {
    const { domains } = merchant();
    const { id, content } = registered({ domains });
    expect((await domains.verify(id, { from: await serving('nothing') })).status).toBe('failed');
    const domain = await domains.verify(id, { from: await serving(content) });
    expect(domain.status).toBe('verified');
    expect(domain).not.toHaveProperty('lastVerificationError');
  });

  test('fetches nothing for a verified domain', async () => {
    const { clock, domains } = merchant();
    const { id, content } = registered({ domains });
    const first = await domains.verify(id, { from: await serving(content) });
    await clock.advance('1d');
    const fetched = vi.spyOn(globalThis, 'fetch');
    expect(await domains.verify(id, { from: 'http://127.0.0.1:1' })).toEqual(first);
    expect(fetched).not.toHaveBeenCalled();
  });

  test('that fails late does not undo a verification that succeeded in the meantime', async () => {
    const { domains } = merchant();
    const { id, content } = registered({ domains });
    const reached = signal();
    const released = signal();
    const slow = await startServer(async (_, response) => {
      reached.fire();
      await released.promise;
      response.writeHead(500).end();
    });
    const late = domains.verify(id, { from: slow });
    await reached.promise;
    const verified = await domains.verify(id, { from: await serving(content) });
    released.fire();
    expect(await late).toEqual(verified);
    expect(domains.list()).toEqual([verified]);
  });

  test.each<[unknown, string]>([
    [{ from: 'shop.example' }, 'from must be an origin such as http://127.0.0.1:3000'],
    [{ from: 'ftp://shop.example' }, 'from must be an origin'],
    [{ from: 'https://shop.example/path' }, 'from must be an origin'],
    [{ from: 'https://u@shop.example' }, 'from must be an origin'],
    [{ from: ['https://shop.example'] }, 'from must be an origin'],
    [{ From: 'https://shop.example' }, 'From is an unknown option. Did you mean from?'],
  ])('rejects the options %j', async (options, message) => {
    const { domains } = merchant();
    const verifying = domains.verify(registered({ domains }).id, options as object);
    await expect(verifying).rejects.toThrow(`control.domains.verify: ${message}`);
    await expect(verifying).rejects.toThrow(TypeError);
    expect(domains.list()[0]?.status).toBe('pending');
  });

  test('throws for an unknown domain', async () => {
    await expect(merchant().domains.verify('unknown')).rejects.toThrow("There is no domain 'unknown'");
  });
});

/** Creates two merchants, the handlers of the first, and the controls of both. */
function createMerchants() {
  const { clock, closing, domains } = merchant();
  const authority = new CertificateAuthority(clock, new Random(1, 'authority'), new State(1));
  const certificates = new Certificates(clock, new Random(1, 'certificates'), authority, new State(1));
  const first = { behaviour: findBehaviour(), domains, certificates };
  const second = {
    behaviour: findBehaviour(),
    domains: new Domains(clock, new Random(1, 'other domains'), closing.signal, new State(1)),
    certificates: new Certificates(clock, new Random(1, 'other certificates'), authority, new State(1)),
  };
  const wallets = [first, second] as const;
  const control = createWalletControl({
    certificateAuthority: authority,
    wallets: () => wallets,
    findWallet: (clientId) => (clientId === undefined ? first : undefined),
  });
  return { first, second, handlers: walletHandlers(() => first), control };
}

const createCall = (body?: unknown): WalletCall => ({ body, params: {}, query: {} });

describe('the domain endpoints of the sandbox', () => {
  test('return a 201 for POST /v1/payment-method-domains, and then a 200 with the same record', async () => {
    const register = createMerchants().handlers['domains.register'];
    const first = await register.run(createCall({ domainName: 'shop.example' }));
    const second = await register.run(createCall({ domainName: 'shop.example' }));
    expect([first.status, second.status]).toEqual([201, 200]);
    const body = await first.json();
    expect(await second.json()).toEqual(body);
    expect(findSchemas('domains.register').response?.safeParse(body).success).toBe(true);
  });

  test('list the domains of one merchant', async () => {
    const { first, second, handlers } = createMerchants();
    first.domains.register('shop.example');
    second.domains.register('other.example');
    const response = handlers['domains.list'].run(createCall());
    expect(await response.json()).toEqual({ data: first.domains.list() });
  });

  test.each([
    'https://shop.example',
    'shop.example:443',
    'shop.example/pay',
    '',
    `${'a.'.repeat(128)}example`,
  ])('reject the domain %j', (domainName) => {
    expect(findContractIssues(registerDomainOperation, { domainName })).toHaveLength(1);
  });
});

test('each of two merchants can register and verify a wallet domain', async () => {
  const sandbox = sandboxForTest();
  const other = sandbox.addMerchant();
  const path = '/v1/payment-method-domains';
  const reply = await call(sandbox, path, { body: { domainName: 'shop.example' } });
  expect([reply.status, reply.body.status]).toEqual([201, 'pending']);
  expect((await call(sandbox, path, { body: { domainName: 'https://shop.example' } })).status).toBe(400);
  const { content } = reply.body.verificationFile as { content: string };
  const verified = await sandbox.control.domains.verify('shop.example', { from: await serving(content) });
  expect((await call(sandbox, path)).body).toEqual({ data: [verified] });
  expect((await call(other, path)).body).toEqual({ data: [] });
});

test('closing a sandbox ends a running verification of a wallet domain', async () => {
  const sandbox = sandboxForTest();
  await call(sandbox, '/v1/payment-method-domains', { body: { domainName: 'shop.example' } });
  const reached = signal();
  const from = await startServer(() => reached.fire());
  const ended = expect(sandbox.control.domains.verify('shop.example', { from })).rejects.toThrow('closed');
  await reached.promise;
  await sandbox.close();
  await ended;
});

describe('control.domains.verify', () => {
  test('finds a domain of any merchant by its name or its id', async () => {
    const { second, control } = createMerchants();
    const { id, content } = registered(second);
    const wrong = await serving('wrong');
    expect((await control.domains.verify('SHOP.example', { from: wrong })).status).toBe('failed');
    const verified = await control.domains.verify(id, { from: new URL(await serving(content)) });
    expect(verified.status).toBe('verified');
    expect(control.domains.list()).toEqual([verified]);
  });

  test('rejects a domain name that two merchants have registered', async () => {
    const { first, second, control } = createMerchants();
    for (const wallet of [first, second]) registered(wallet);
    await expect(control.domains.verify('shop.example')).rejects.toThrow('2 merchants have registered');
    await expect(control.domains.verify('none.example')).rejects.toThrow("There is no domain 'none.example'");
  });
});
