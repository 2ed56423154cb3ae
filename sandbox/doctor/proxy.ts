import type { ClientOptions } from '../../src/options.js';
import { isRecord } from '../../src/validation/record.js';
import type { Builtins } from './builtins.js';
import { within } from './check.js';

/** The environment variables of a proxy, as an agent of Node 22.21 or 24.5 and later keeps them. */
type ProxyEnv = Readonly<Record<string, string | undefined>>;

/** Without user names and passwords. */
export interface ClientProxies {
  readonly used: string | undefined;
  /** The proxy that the environment names, and that the client's agent does not use. */
  readonly unused: string | undefined;
}

/** Reads the proxy from the agent that the client uses: its own agent, or else Node's global agent. */
export async function findProxies(
  { agent, fetch }: ClientOptions,
  baseUrl: URL,
  builtins: Builtins | undefined,
  limit: number,
): Promise<ClientProxies> {
  if (fetch !== undefined || builtins === undefined) return { used: undefined, unused: undefined };
  const used =
    (await findPackageProxy(agent, baseUrl, limit)) ??
    chooseProxy(findProxyEnv(agent, baseUrl, builtins), baseUrl);
  return { used, unused: used === undefined ? chooseProxy(process.env, baseUrl) : undefined };
}

/** Checks whether this Node reads proxies from an agent's option `proxyEnv`. Other versions ignore it. */
export const readsProxyEnv = (): boolean =>
  globalThis.process?.allowedNodeEnvironmentFlags?.has('--use-env-proxy') === true;

export function findProxyEnv(agent: unknown, { protocol }: URL, { http, https }: Builtins): ProxyEnv {
  const { globalAgent } = protocol === 'https:' ? https : http;
  const { options } = (agent ?? globalAgent) as { options?: { proxyEnv?: ProxyEnv } };
  return (readsProxyEnv() && options?.proxyEnv) || {};
}

/** Finds the proxy of an agent from https-proxy-agent, socks-proxy-agent, hpagent, proxy-agent or tunnel. */
async function findPackageProxy(agent: unknown, { href }: URL, limit: number): Promise<string | undefined> {
  if (!isRecord(agent)) return undefined;
  const { getProxyForUrl: choose } = agent;
  const found =
    typeof choose === 'function'
      ? await within(
          limit,
          Promise.resolve(href)
            .then(choose as (url: string) => unknown)
            .catch(() => ''),
          '',
        )
      : '';
  return [found, agent.proxy, agent.proxyOptions].map(readHost).find((host) => host !== undefined);
}

function readHost(proxy: unknown): string | undefined {
  if (typeof proxy === 'string') return URL.canParse(proxy) ? new URL(proxy).host : undefined;
  if (!isRecord(proxy)) return undefined;
  const host = proxy.hostname ?? proxy.host;
  if (typeof host !== 'string') return undefined;
  return proxy.port ? `${host}:${proxy.port}` : host;
}

/** By Node's rules. */
function chooseProxy(env: ProxyEnv, { protocol, hostname, port }: URL): string | undefined {
  const isSecure = protocol === 'https:';
  const value = isSecure ? env.https_proxy || env.HTTPS_PROXY : env.http_proxy || env.HTTP_PROXY;
  if (!value || !/^https?:\/\//.test(value) || !URL.canParse(value)) return undefined;
  const withPort = `${hostname}:${port || (isSecure ? 443 : 80)}`;
  const excluded = (env.no_proxy || env.NO_PROXY || '').split(',').map((name) => name.trim().toLowerCase());
  const isExcluded = excluded.some(
    (name) =>
      name === '*' ||
      name === hostname ||
      name === withPort ||
      (name.startsWith('.') && hostname.endsWith(name.slice(1))) ||
      (name.startsWith('*.') && hostname.endsWith(name.slice(1))) ||
      isInRange(hostname, name),
  );
  return isExcluded ? undefined : new URL(value).host;
}

/** A range is such as `10.0.0.1-10.0.0.9`. */
function isInRange(hostname: string, range: string): boolean {
  const [address, first, last] = [hostname, ...range.split('-')].map(readIPv4);
  return (
    address !== undefined && first !== undefined && last !== undefined && address >= first && address <= last
  );
}

function readIPv4(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text.trim())?.slice(1).map(Number);
  return parts?.reduce((sum, part) => sum * 256 + part, 0);
}
