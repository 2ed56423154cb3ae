import { networkInterfaces } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ListenOptions, Sandbox, SandboxServer } from '../../index.js';
import { exchange, requestText } from '../raw-client.js';
import { call, pay, pix, sandboxForTest } from '../support.js';

interface Listening {
  sandbox: Sandbox;
  server: SandboxServer;
}

async function listening(options?: ListenOptions): Promise<Listening> {
  const sandbox = sandboxForTest();
  return { sandbox, server: await sandbox.listen(options) };
}

const credentials = (server: SandboxServer) => {
  const { clientId, clientSecret } = server.clientOptions();
  return { 'client-id': clientId, 'client-secret': clientSecret };
};

/** Sends a valid payment with the test's changes. `PORT` is replaced by the server's port. */
function payment(server: SandboxServer, target: string, headers: Record<string, string | string[]>) {
  const own = (text: string) => text.replaceAll('PORT', String(server.port));
  const changed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(own) : own(value),
    ]),
  );
  return requestText(
    `POST ${own(target)} HTTP/1.1`,
    { 'content-type': 'application/json', ...credentials(server), ...changed },
    JSON.stringify(pix()),
  );
}

/** Expects that nothing was executed, recorded, counted or taken from a seeded stream. */
async function expectUntouched({ sandbox, server }: Listening) {
  expect(sandbox.journal.requests).toEqual([]);
  expect(sandbox.ledger.charges).toEqual([]);
  expect(sandbox.faults.pending).toHaveLength(1);
  sandbox.faults.clear();
  const reply = await pay(server, pix());
  expect(reply.status).toBe(201);
  expect(reply.headers.get('x-request-id')).toBe(
    (await pay(sandboxForTest(), pix())).headers.get('x-request-id'),
  );
}

async function sendRejected(
  target: string,
  headers: Record<string, string | string[]>,
  options?: ListenOptions,
) {
  const at = await listening(options);
  at.sandbox.faults.add({ fault: 'reset' });
  const reply = await exchange(at.server, payment(at.server, target, headers));
  await expectUntouched(at);
  expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(reply.headers['content-type']).toBe('application/json');
  return [reply.status, JSON.parse(reply.body).error.code];
}

describe('a request with an unknown Host returns a 421, and nothing is executed (row 64)', () => {
  test.each([
    ['an unknown name', 'evil.example:PORT'],
    ['an unknown name without a port', 'evil.example'],
    ['a name with a trailing dot', 'localhost.:PORT'],
    ['a name that begins alike', 'localhost.evil.example:PORT'],
    ['a name that ends alike', 'evil.localhost:PORT'],
    ['a user before the address', 'evil@127.0.0.1:PORT'],
    ['an address after the user', '127.0.0.1:PORT@evil.example'],
    ['the address in another notation', '0x7f.1:PORT'],
    ['the address as a number', '2130706433:PORT'],
    ['every address', '0.0.0.0:PORT'],
    ['another loopback address', '127.0.0.2:PORT'],
    ['a port with a zero before it', '127.0.0.1:0PORT'],
    ['two names', '127.0.0.1:PORT,evil.example'],
    ['markup', '<b>'],
  ])('if the Host is %s', async (_, host) => {
    expect(await sendRejected('/v1/payments', { host })).toEqual([421, 'unknown_host']);
  });

  test.each([
    ['a foreign URL', 'http://evil.example/v1/payments'],
    ['a foreign URL with the address as its user', 'http://127.0.0.1:PORT@evil.example/v1/payments'],
    ['a URL without an authority', 'http:///v1/payments'],
  ])('if the target is %s', async (_, target) => {
    expect(await sendRejected(target, { host: '127.0.0.1:PORT' })).toEqual([421, 'unknown_host']);
  });

  test('even if its target is the server’s own URL', async () => {
    expect(await sendRejected('http://127.0.0.1:PORT/v1/payments', { host: 'evil.example' })).toEqual([
      421,
      'unknown_host',
    ]);
  });
});

test.each(['127.0.0.1:8080', '127.0.0.1', 'localhost:1', 'LOCALHOST:8080', '[::1]:8080', 'localhost:65535'])(
  'a sandbox on loopback accepts the Host %s with any port, because a container can map its port',
  async (host) => {
    const { server } = await listening();
    expect((await exchange(server, payment(server, '/v1/payments', { host }))).status).toBe(201);
  },
);

test('the message of a 421 names the options --allow-host and allowedHosts', async () => {
  const { server } = await listening();
  const { body } = await exchange(server, payment(server, '/v1/payments', { host: 'shop.internal' }));
  expect(body).toContain('--allow-host NAME');
  expect(body).toContain("listen({ allowedHosts: ['name'] })");
});

describe('a request without a clear host returns a 400, and nothing is executed (row 64)', () => {
  test.each([
    ['two Host headers', '/v1/payments', { host: ['127.0.0.1:PORT', 'evil.example'] }],
    ['the same Host twice', '/v1/payments', { host: ['127.0.0.1:PORT', '127.0.0.1:PORT'] }],
    ['an empty Host', '/v1/payments', { host: '' }],
    ['a target that is not a path', '*', { host: '127.0.0.1:PORT' }],
    ['another scheme', 'https://127.0.0.1:PORT/v1/payments', { host: '127.0.0.1:PORT' }],
    ['dots in the path', '/v1/x/../payments', { host: '127.0.0.1:PORT' }],
    ['dots at the end of the path', '/v1/payments/..', { host: '127.0.0.1:PORT' }],
    ['one dot in the path', '/v1/./payments', { host: '127.0.0.1:PORT' }],
    ['encoded dots', '/v1/x/%2e%2E/payments', { host: '127.0.0.1:PORT' }],
    ['half encoded dots', '/v1/x/.%2e/payments', { host: '127.0.0.1:PORT' }],
    ['a backslash', '/v1\\payments', { host: '127.0.0.1:PORT' }],
    ['dots in a whole URL', 'http://127.0.0.1:PORT/x/../v1/payments', { host: '127.0.0.1:PORT' }],
  ])('if it has %s', async (_, target, headers) => {
    expect(await sendRejected(target, headers)).toEqual([400, 'bad_request']);
  });

  test('if it has no Host, in HTTP/1.0 and in HTTP/1.1', async () => {
    const { sandbox, server } = await listening();
    for (const version of ['1.0', '1.1']) {
      expect((await exchange(server, `GET /v1/webhooks HTTP/${version}\r\n\r\n`)).status).toBe(400);
    }
    expect(sandbox.journal.requests).toEqual([]);
  });
});

describe('a request from a page of another origin returns a 403, and nothing is executed (row 64)', () => {
  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another port of the same host', { origin: 'http://127.0.0.1:1' }],
    ['another name of the same host', { origin: 'http://localhost:PORT' }],
    ['an origin that begins alike', { origin: 'http://127.0.0.1:PORT.evil.example' }],
    ['an empty origin', { origin: '' }],
    ['its own origin next to another', { origin: ['http://127.0.0.1:PORT', 'https://evil.example'] }],
    ['sec-fetch-site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['sec-fetch-site: same-site', { 'sec-fetch-site': 'same-site' }],
  ])('if it has %s', async (_, headers) => {
    expect(await sendRejected('/v1/payments', { host: '127.0.0.1:PORT', ...headers })).toEqual([
      403,
      'foreign_origin',
    ]);
  });

  test('if it is another page’s form or a CORS preflight request', async () => {
    const { sandbox, server } = await listening();
    const host = `127.0.0.1:${server.port}`;
    const page = { host, origin: 'https://evil.example' };
    const replies = [
      await exchange(
        server,
        requestText(
          'POST /oauth/token HTTP/1.1',
          { ...page, 'content-type': 'application/x-www-form-urlencoded' },
          'grant_type=client_credentials',
        ),
      ),
      await exchange(
        server,
        requestText('OPTIONS /v1/payments HTTP/1.1', {
          ...page,
          'access-control-request-method': 'POST',
          'access-control-request-private-network': 'true',
        }),
      ),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403]);
    expect(JSON.stringify(replies)).not.toContain('access-control');
    expect(sandbox.journal.requests).toEqual([]);
  });
});

describe('a sandbox on loopback accepts', () => {
  test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LocalHost:PORT', '[::1]:PORT'])(
    'the Host %s',
    async (host) => {
      const { server } = await listening();
      expect((await exchange(server, payment(server, '/v1/payments', { host }))).status).toBe(201);
    },
  );

  test.each([
    ['the server’s whole URL as its target', 'http://127.0.0.1:PORT/v1/payments', {}],
    ['a whole URL with the host name in capitals as its target', 'http://LOCALHOST:PORT/v1/payments', {}],
    ['its own origin', '/v1/payments', { origin: 'http://127.0.0.1:PORT' }],
    ['sec-fetch-site: same-origin', '/v1/payments', { 'sec-fetch-site': 'same-origin' }],
    [
      'sec-fetch-site: none, as for an address typed in a browser',
      '/v1/payments',
      { 'sec-fetch-site': 'none' },
    ],
    ['dots that are not a segment', '/v1/payments?next=/../x', {}],
  ])('a request with %s', async (_, target, headers) => {
    const { server } = await listening();
    const reply = await exchange(server, payment(server, target, { host: '127.0.0.1:PORT', ...headers }));
    expect(reply.status).toBe(201);
  });

  test('a request in HTTP/1.0', async () => {
    const { server } = await listening();
    const head = { host: `127.0.0.1:${server.port}`, ...credentials(server) };
    expect((await exchange(server, requestText('GET /v1/webhooks HTTP/1.0', head))).status).toBe(200);
  });
});

describe('the option allowedHosts', () => {
  test.each([
    ['sandbox', 'sandbox:4010', 201],
    ['sandbox', 'SANDBOX', 201],
    ['Sandbox', 'sandbox:PORT', 201],
    ['sandbox:4010', 'sandbox:4010', 201],
    ['sandbox:4010', 'sandbox:4011', 421],
    ['sandbox:4010', 'sandbox', 421],
    ['sandbox', 'sandbox.evil.example', 421],
    ['sandbox', 'evil-sandbox', 421],
    ['sandbox', 'sandbox:', 421],
    ['[fd00::1]', '[fd00::1]:4010', 201],
    ['localhost', 'localhost:8080', 201],
  ])('set to %s: a request with the Host %s gets a %i', async (allowed, host, status) => {
    const { server } = await listening({ allowedHosts: [allowed] });
    expect((await exchange(server, payment(server, '/v1/payments', { host }))).status).toBe(status);
  });

  test('does not allow requests from web pages of a listed host', async () => {
    const headers = { host: 'localhost:PORT', origin: 'http://localhost:3000' };
    expect(await sendRejected('/v1/payments', headers, { allowedHosts: ['localhost'] })).toEqual([
      403,
      'foreign_origin',
    ]);
  });

  test.each([['http://sandbox'], ['sandbox/'], ['*'], [''], ['[::1'], ['a b'], [1]])(
    'rejects %j',
    async (host) => {
      const options = { allowedHosts: ['sandbox', host as string] };
      await expect(sandboxForTest().listen(options)).rejects.toThrow(
        `listen: allowedHosts.1 must be a name such as 'sandbox' or 'sandbox:4010', without a scheme, not ${inspect(host)}`,
      );
    },
  );

  test('rejects a string instead of a list', async () => {
    const listening = sandboxForTest().listen({ allowedHosts: 'sandbox' as never });
    await expect(listening).rejects.toThrow(new TypeError('listen: allowedHosts must be a list.'));
  });
});

describe('a server on every interface', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

  test.each([
    ['0.0.0.0', '127.0.0.1:PORT', 201],
    ['0.0.0.0', 'localhost:PORT', 201],
    ['0.0.0.0', '0.0.0.0:PORT', 421],
    ['0.0.0.0', 'evil.example:PORT', 421],
    ['::', '[::1]:PORT', 201],
    ['::', 'evil.example:PORT', 421],
  ])('that listens on %s responds to the Host %s with a %i', async (host, name, status) => {
    const { server } = await listening({ host });
    expect((await exchange(server, payment(server, '/v1/payments', { host: name }))).status).toBe(status);
  });

  test.skipIf(outside === undefined)('is reachable by the interface’s address', async () => {
    for (const host of ['0.0.0.0', '::']) {
      const { server } = await listening({ host });
      const text = payment(server, '/v1/payments', { host: `${outside}:PORT` });
      expect((await exchange(server, text, outside)).status).toBe(201);
      expect((await exchange(server, text, '127.0.0.1')).status).toBe(421);
    }
  });
});

test('a server that listens on a name is reachable by the name and by its address', async () => {
  const { server } = await listening({ host: 'LOCALHOST' });
  expect((await call(server, '/v1/webhooks')).status).toBe(200);
  const [, other] = ['localhost', '127.0.0.1'].map((name) => ({
    ...server.clientOptions(),
    baseUrl: `http://${name}:${server.port}`,
  }));
  if (other === undefined) throw new Error('two names');
  expect((await call({ clientOptions: () => other }, '/v1/webhooks')).status).toBe(200);
});

test('a sandbox that is called in process does not check the host', async () => {
  const sandbox = sandboxForTest();
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await pay(sandbox, pix(), undefined, { headers })).status).toBe(201);
});
