import { inspect } from 'node:util';
import { HttpsProxyAgent as HttpsProxyAgent9 } from 'https-proxy-agent';
import makeHttpsProxyAgent5 from 'https-proxy-agent-5';
import { HttpsProxyAgent as HttpsProxyAgent7 } from 'https-proxy-agent-7';
import type { ClientOptions, PaymentPlatformError } from 'payment-platform';
import { ProxyAgent } from 'proxy-agent';
import { httpsOverHttp } from 'tunnel';
import { ProxyAgent as UndiciProxyAgent, fetch as undiciFetch } from 'undici';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { connectProxy } from '../../support/connect-proxy.js';
import { catchError, clientOn } from '../../support/engines.js';
import { findFreePort } from '../../support/free-port.js';
import { paid, pix } from '../../support/payments.js';
import { closedAfterEach } from '../../support/resources.js';
import { testAuthority } from '../../support/test-authority.js';
import { tlsPlatform } from '../../support/tls-platform.js';

const opens = closedAfterEach();

beforeEach(() => {
  // Sets full jitter to its lower end, so that retries follow at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** An unresolvable host, which only the proxy can reach. */
const host = 'platform.example';
const authority = testAuthority();
const password = 'pr0xy-passw0rd';

type Agent = NonNullable<ClientOptions['agent']>;

/** Creates the common packages' agents as their users do. All their types fit the option. */
const agents: [name: string, make: (proxyUrl: string, ca: string) => Agent][] = [
  [
    'https-proxy-agent 5',
    (url, ca) => {
      const agent = makeHttpsProxyAgent5(url);
      // The agent has no option for the host's certificates.
      const callback = agent.callback;
      agent.callback = (request, options) =>
        callback.call(agent, request, Object.assign({}, options, { ca }));
      return agent;
    },
  ],
  ['https-proxy-agent 7', (url, ca) => trusting(new HttpsProxyAgent7(url), ca)],
  ['https-proxy-agent 9', (url, ca) => trusting(new HttpsProxyAgent9(url), ca)],
  ['proxy-agent 6', (url, ca) => new ProxyAgent({ getProxyForUrl: () => url, ca })],
  [
    'tunnel',
    (url, ca) => {
      const { hostname, port, username, password } = new URL(url);
      const proxyAuth = username === '' ? undefined : `${username}:${password}`;
      return httpsOverHttp({
        ca: [Buffer.from(ca)],
        proxy: { host: hostname, port: Number(port), proxyAuth },
      });
    },
  ],
];

/**
 * Makes an agent trust an authority for the host. The option `ca` of https-proxy-agent applies only to the
 * proxy.
 */
function trusting<Agent extends HttpsProxyAgent7<string> | HttpsProxyAgent9<string>>(
  agent: Agent,
  ca: string,
) {
  Object.assign(agent.options, { ca });
  return agent;
}

/** Starts a platform behind a proxy, and creates a client that reaches it through an agent. */
async function behindProxy(
  make: (proxyUrl: string, ca: string) => Agent,
  behaviour: Omit<Parameters<typeof connectProxy>[0] & object, 'to'> = {},
) {
  const platform = opens(await tlsPlatform(authority.issue(host)));
  const proxy = opens(await connectProxy({ to: platform.port, ...behaviour }));
  const events: unknown[] = [];
  const hook = (event: unknown) => events.push(event);
  const client = opens(
    clientOn('node', `https://${host}`, {
      agent: make(proxy.urlWith('merchant', password), authority.ca),
      hooks: { onRequest: hook, onResponse: hook, onRetry: hook },
    }),
  );
  return { platform, proxy, client, events };
}

describe.each(agents)('the proxy agent %s', (_, make) => {
  test('works as the client’s option agent, and carries a payment through the proxy', async () => {
    const { platform, proxy, client } = await behindProxy(make);
    await expect(client.payments.create(pix)).resolves.toEqual(paid);
    expect(platform.requests).toHaveLength(1);
    const authorization = `Basic ${Buffer.from(`merchant:${password}`).toString('base64')}`;
    expect(proxy.tunnels).toEqual([{ authority: `${host}:443`, authorization }]);
  });

  test.each([407, 403, 200 + 1])(
    'causes the outcome not-executed if CONNECT gets a %i, and the error shows no password (row 2)',
    async (status) => {
      const { platform, proxy, client, events } = await behindProxy(make, { rejectWith: status });
      const error = await catchError<PaymentPlatformError>(
        client.payments.create(pix, { idempotencyKey: null }),
      );
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed' });
      expect([error.status, error.body]).toEqual([undefined, undefined]);
      expect(proxy.tunnels).toHaveLength(error.attempts);
      expect(platform.requests).toEqual([]);
      const shown = inspect([error, error.toJSON(), events], { depth: 20, showHidden: true });
      expect(shown).not.toContain(password);
      expect(shown).not.toContain(Buffer.from(`merchant:${password}`).toString('base64').slice(0, 16));
    },
  );

  test('lets the client retry if CONNECT gets a 502, because nothing was executed (row 2)', async () => {
    const { platform, proxy, client } = await behindProxy(make, { rejectWith: 502 });
    const error = await catchError<PaymentPlatformError>(
      client.payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 3 });
    expect(proxy.tunnels).toHaveLength(3);
    expect(platform.requests).toEqual([]);
  });

  test('lets the client retry if the proxy is unreachable, because nothing was executed (row 1)', async () => {
    const port = await findFreePort();
    const agent = make(`http://merchant:${password}@127.0.0.1:${port}`, authority.ca);
    const client = opens(clientOn('node', `https://${host}`, { agent }));
    const error = await catchError<PaymentPlatformError>(
      client.payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 3 });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password);
  });

  test('lets the client retry if the tunnel is cut during the handshake, because nothing was executed (row 1)', async () => {
    const { platform, client } = await behindProxy(make, { cutTunnels: true });
    const error = await catchError<PaymentPlatformError>(
      client.payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 3 });
    expect(platform.requests).toEqual([]);
  });

  test('causes no retry if the certificate is not trusted, and the outcome is not-executed (row 1)', async () => {
    const { platform, client } = await behindProxy((url) => make(url, testAuthority('Another').ca));
    const error = await catchError<PaymentPlatformError>(client.payments.create(pix));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 1 });
    expect(platform.requests).toEqual([]);
  });
});

test('undici’s ProxyAgent works through the option fetch', async () => {
  const platform = opens(await tlsPlatform(authority.issue(host)));
  const proxy = opens(await connectProxy({ to: platform.port }));
  const dispatcher = new UndiciProxyAgent({
    uri: proxy.urlWith('merchant', password),
    requestTls: { ca: authority.ca },
  });
  opens({ close: () => dispatcher.close() });
  const fetch: ClientOptions['fetch'] = (input, init) =>
    undiciFetch(String(input), { ...init, dispatcher } as never) as never;
  const client = opens(clientOn('ky', `https://${host}`, { fetch }));
  await expect(client.payments.create(pix)).resolves.toEqual(paid);
  expect(proxy.tunnels.map((tunnel) => tunnel.authority)).toEqual([`${host}:443`]);
});
