import type { PeerCertificate } from 'node:tls';
import { type Builtins, noBuiltins } from './builtins.js';
import {
  type CheckName,
  type DoctorCheck,
  describeError,
  failed,
  findCode,
  ok,
  skipped,
  warning,
  within,
} from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';
import { readsProxyEnv } from './proxy.js';

const dayMs = 86_400_000;
/** In days. */
const expiryDays = 14;

/** Sends nothing confidential. */
export async function* checkNetwork(
  context: DiagnosisContext,
): AsyncGenerator<DoctorCheck, string | undefined> {
  const { builtins, baseUrl, limit } = context;
  const reason = whyHidden(context);
  if (builtins === undefined || reason !== undefined) {
    for (const name of ['dns', 'connect', 'tls'] as const) yield skipped(name, reason ?? noBuiltins);
    yield checkProxy(context);
    return undefined;
  }
  const host = baseUrl.hostname.replace(/^\[|\]$/g, '');
  const port = Number(baseUrl.port) || (baseUrl.protocol === 'https:' ? 443 : 80);
  const lookup = builtins.dns.lookup(host, { all: true, verbatim: true }).catch(describeError);
  const addresses = await within(limit, lookup, `no response within ${limit} ms`);
  if (typeof addresses === 'string') {
    yield failed('dns', `${host} has no address: ${addresses}.`, 'Correct the base address, or the DNS.');
    for (const name of ['connect', 'tls'] as const) yield skipped(name, `${host} has no address.`);
  } else {
    const families = addresses.map(({ address, family }) => `${address} (IPv${family})`);
    yield ok('dns', `${host} is ${families.join(', ')}.`);
    const found = addresses.map(({ address }) => address);
    yield await checkConnections(context, builtins, found, port);
    yield await checkTls(context, builtins, host, port);
  }
  yield checkProxy(context);
  return undefined;
}

function whyHidden({ client, proxies }: DiagnosisContext): string | undefined {
  if (client.fetch !== undefined) return 'The client has its own fetch, which hides its connections.';
  if (proxies.used !== undefined) return `Requests go through a proxy: ${proxies.used}.`;
  return undefined;
}

function checkProxy({ client, proxies: { used, unused } }: DiagnosisContext): DoctorCheck {
  const name: CheckName = 'proxy';
  if (used !== undefined) return ok(name, `Requests go through ${used}.`);
  if (client.fetch !== undefined) return skipped(name, 'The client has its own fetch, which may use one.');
  if (unused === undefined) return ok(name, 'None: requests go straight to the platform.');
  const isIgnored = `The environment names the proxy ${unused}, and the client does not use it.`;
  if (client.agent !== undefined)
    return warning(name, isIgnored, "Pass an agent that uses it: the client's own agent does not.");
  return warning(
    name,
    isIgnored,
    readsProxyEnv()
      ? 'Start the process with NODE_USE_ENV_PROXY=1, or pass an agent.'
      : 'Pass an agent: this runtime reads no proxy from the environment. Node does from 22.21 and 24.5 on.',
  );
}

async function checkConnections(
  { limit, signal }: DiagnosisContext,
  { net }: Builtins,
  addresses: readonly string[],
  port: number,
): Promise<DoctorCheck> {
  const attempts = await Promise.all(
    addresses.map(async (address) => {
      const began = performance.now();
      const problem = await new Promise<string | undefined>((resolve) => {
        const socket = net.connect({ host: address, port, signal });
        socket.setTimeout(limit, () => socket.destroy(new Error(`no connection within ${limit} ms`)));
        socket.once('connect', () => resolve(undefined)).once('connect', () => socket.destroy());
        socket.once('error', (error) => resolve(findCode(error) ?? describeError(error)));
      });
      const shown = problem ?? `${Math.round(performance.now() - began)} ms`;
      return { problem, shown: `${address}: ${shown}` };
    }),
  );
  const shown = `${attempts.map((attempt) => attempt.shown).join(', ')}.`;
  const broken = attempts.filter(({ problem }) => problem !== undefined);
  if (broken.length === attempts.length)
    return failed('connect', shown, `Open port ${port} in your firewall, or correct the base address.`);
  if (broken.length > 0)
    return warning('connect', shown, 'Repair that route: the client loses time on an address without one.');
  return ok('connect', shown);
}

interface TlsFacts {
  readonly version: string;
  readonly certificate: PeerCertificate;
  readonly problem: string | undefined;
}

async function checkTls(
  { baseUrl, client, limit, signal }: DiagnosisContext,
  { net, tls }: Builtins,
  host: string,
  port: number,
): Promise<DoctorCheck> {
  const name: CheckName = 'tls';
  if (baseUrl.protocol !== 'https:') return skipped(name, `${baseUrl.origin} is plain http.`);
  const { options = {} } = (client.agent ?? {}) as { options?: object };
  const servername = net.isIP(host) === 0 ? host : '';
  const facts = await new Promise<TlsFacts | string>((resolve) => {
    // Accepts an untrusted certificate in order to read it, because this connection carries no request.
    const settings = { ...options, host, port, servername, rejectUnauthorized: false };
    const socket = tls.connect(settings, () => {
      const { authorizationError } = socket;
      resolve({
        version: socket.getProtocol() ?? 'unknown',
        certificate: socket.getPeerCertificate(),
        problem: socket.authorized ? undefined : findCode(authorizationError) || String(authorizationError),
      });
      socket.destroy();
    });
    socket.setTimeout(limit, () => socket.destroy(new Error(`no handshake within ${limit} ms`)));
    signal.addEventListener('abort', () => socket.destroy(new Error('aborted')), { once: true });
    socket.once('error', (error) => resolve(describeError(error)));
  });
  if (typeof facts === 'string')
    return failed(name, `The handshake fails: ${facts}.`, 'Check the port and the certificate.');
  return judgeTls(facts);
}

function judgeTls({ version, certificate, problem }: TlsFacts): DoctorCheck {
  const { issuer, valid_to } = certificate;
  const until = Date.parse(valid_to);
  const days = Math.floor((until - Date.now()) / dayMs);
  const authority = issuer?.O ?? issuer?.CN ?? 'an unknown authority';
  const shown = `${version}, certificate by ${authority}, valid for ${days} more days.`;
  if (problem !== undefined)
    return failed(
      'tls',
      `The certificate is not trusted (${problem}). ${shown}`,
      'For a private authority, set NODE_EXTRA_CA_CERTS. Never set rejectUnauthorized: false.',
    );
  if (version === 'TLSv1' || version === 'TLSv1.1')
    return failed('tls', shown, 'Ask for TLS 1.2 or later at the platform or gateway.');
  if (days < expiryDays)
    return warning('tls', shown, 'Ask the owner of the certificate when it will be renewed.');
  return ok('tls', shown);
}
