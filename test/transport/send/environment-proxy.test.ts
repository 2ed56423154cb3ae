import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundledScript } from '../../support/bundled-script.js';
import { connectProxy } from '../../support/connect-proxy.js';
import { paid } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';
import { testAuthority } from '../../support/test-authority.js';
import { tlsPlatform } from '../../support/tls-platform.js';

const opens = closedAfterEach();
const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const script = new URL('../../support/pay-and-get.ts', import.meta.url);

/** Node 22.21, 24.5 and later support NODE_USE_ENV_PROXY in node:http. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const knowsProxies = major >= 25 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);

const authority = testAuthority();

/** Runs the script with a proxy in the environment. */
async function run(baseUrl: string, env: NodeJS.ProcessEnv, flags: readonly string[] = []) {
  const args = [...flags, await bundledScript(script), baseUrl];
  const { stdout } = await execute(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(stdout);
}

/** Runs the script with a platform on localhost and a proxy in the environment. */
async function shop(behaviour: Omit<Parameters<typeof connectProxy>[0] & object, 'to'> = {}) {
  const platform = opens(await tlsPlatform(authority.issue('localhost')));
  const proxy = opens(await connectProxy({ to: platform.port, ...behaviour }));
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  opens({ close: () => rmSync(folder, { recursive: true }) });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.ca);
  const HTTPS_PROXY = proxy.urlWith('merchant', 'pr0xy-passw0rd');
  const pay = (env: NodeJS.ProcessEnv, flags?: readonly string[]) =>
    run(`https://localhost:${platform.port}`, { NODE_EXTRA_CA_CERTS: ca, HTTPS_PROXY, ...env }, flags);
  return { platform, proxy, pay };
}

describe('the proxy in the environment variables', () => {
  test('carries a payment over https only on Node versions that also use it for fetch', async () => {
    const { platform, proxy, pay } = await shop();
    expect(await pay({ NODE_USE_ENV_PROXY: '1' })).toMatchObject({ plain: 'done', payment: 'done' });
    expect(platform.requests.map(({ path }) => path)).toEqual(['/', '/v1/payments']);
    const through = { authority: `localhost:${platform.port}` };
    expect(proxy.tunnels).toMatchObject(knowsProxies ? [through, through] : []);
  });

  test('is ignored without NODE_USE_ENV_PROXY, as in Node', async () => {
    const { platform, proxy, pay } = await shop();
    expect(await pay({})).toMatchObject({ plain: 'done', payment: 'done' });
    expect(platform.requests).toHaveLength(2);
    expect(proxy.tunnels).toEqual([]);
  });

  test('is bypassed with NO_PROXY, as in Node', async () => {
    const { proxy, pay } = await shop();
    const env = { NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost' };
    expect(await pay(env)).toMatchObject({ plain: 'done', payment: 'done' });
    expect(proxy.tunnels).toEqual([]);
  });

  test.skipIf(!knowsProxies)('is used with the flag --use-env-proxy', async () => {
    const { proxy, pay } = await shop();
    expect(await pay({}, ['--use-env-proxy'])).toMatchObject({ plain: 'done', payment: 'done' });
    expect(proxy.tunnels).toHaveLength(2);
  });

  test.skipIf(!knowsProxies).each([407, 502])(
    'causes the outcome not-executed for a payment if CONNECT returns a %i (row 2)',
    async (rejectWith) => {
      const { platform, proxy, pay } = await shop({ rejectWith });
      expect(await pay({ NODE_USE_ENV_PROXY: '1' })).toMatchObject({ payment: 'not-executed' });
      expect(proxy.tunnels).toHaveLength(2);
      expect(platform.requests).toEqual([]);
    },
  );

  test.skipIf(!knowsProxies)(
    'causes the outcome not-executed for a payment if the tunnel is cut during the handshake (row 1)',
    async () => {
      const { platform, pay } = await shop({ cutTunnels: true });
      expect(await pay({ NODE_USE_ENV_PROXY: '1' })).toMatchObject({ payment: 'not-executed' });
      expect(platform.requests).toEqual([]);
    },
  );

  describe('for a platform over plain http', () => {
    const payThrough = async (rejectWith?: number) => {
      const platform = opens(
        await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(paid), { status: 201 }))),
      );
      const proxy = opens(await connectProxy(rejectWith === undefined ? {} : { rejectWith }));
      const HTTP_PROXY = proxy.urlWith('merchant', 'passwithoutadigit');
      const ended = await run(platform.url, { NODE_USE_ENV_PROXY: '1', HTTP_PROXY });
      return { platform, proxy, ended };
    };

    test.skipIf(!knowsProxies)('forwards the request', async () => {
      const { platform, proxy, ended } = await payThrough();
      expect(ended).toMatchObject({ plain: 'done', payment: 'done' });
      expect(proxy.forwarded).toEqual([`${platform.url}/`, `${platform.url}/v1/payments`]);
    });

    test.skipIf(!knowsProxies)(
      'causes the outcome not-executed for a payment after a 407, and its password is not shown (row 2)',
      async () => {
        const { platform, ended } = await payThrough(407);
        expect(ended).toMatchObject({ payment: 'not-executed' });
        expect(ended.shown).toContain('a proxy rejected the request (407)');
        expect(ended.shown).not.toContain('passwithoutadigit');
        expect(ended.shown).not.toContain(Buffer.from('merchant:pass').toString('base64').slice(0, 12));
        expect(platform.requests).toEqual([]);
      },
    );
  });
});
