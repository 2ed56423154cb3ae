import { HttpsProxyAgent } from 'https-proxy-agent';
import createHttpsProxyAgent5 from 'https-proxy-agent-5';
import { ProxyAgent } from 'proxy-agent';
import { expect, test, vi } from 'vitest';
import { examine, findResult, served, startProxy } from '../../../sandbox/test/doctor/support.js';

test.each([
  ['https-proxy-agent', (proxy: string) => new HttpsProxyAgent(proxy)],
  ['https-proxy-agent 5', (proxy: string) => createHttpsProxyAgent5(proxy)],
  ['proxy-agent', (proxy: string) => new ProxyAgent({ getProxyForUrl: async () => proxy })],
])('diagnose names the proxy of an agent from %s, whatever the environment names', async (_, createAgent) => {
  const { client } = await served();
  const port = await startProxy();
  const agent = createAgent(`http://user:proxy-password@127.0.0.1:${port}`);
  vi.stubEnv('HTTP_PROXY', 'http://other.internal:3128');
  vi.stubEnv('NO_PROXY', '*');
  const diagnosis = await examine({ ...client, agent });
  expect(findResult(diagnosis, 'proxy').message).toBe(`Requests go through 127.0.0.1:${port}.`);
  expect(findResult(diagnosis, 'dns').message).toBe(`Requests go through a proxy: 127.0.0.1:${port}.`);
  expect(findResult(diagnosis, 'auth.headers').status).toBe('ok');
  expect(JSON.stringify(diagnosis)).not.toContain('proxy-password');
});
