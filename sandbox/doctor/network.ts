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
} from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';

const dayMs = 86_400_000;
/** A certificate that expires within this number of days leads to a warning. */
const expiryDays = 14;

/** Checks the network path to the platform: names, addresses, TLS and proxies. Sends nothing confidential. */
export async function* checkNetwork(context: DiagnosisContext): AsyncGenerator<DoctorCheck> {
  const { builtins, baseUrl } = context;
  const reason = whyHidden(context);
  if (builtins === undefined || reason !== undefined) {
    for (const name of ['dns', 'connect', 'tls'] as const) yield skipped(name, reason ?? noBuiltins);
    yield* checkProxy(context);
    return;
  }
  const host = baseUrl.hostname.replace(/^\[|\]$/g, '');
  const port = Number(baseUrl.port) || (baseUrl.protocol === 'https:' ? 443 : 80);
  const addresses = await builtins.dns.lookup(host, { all: true, verbatim: true }).catch((error: unknown) => {
    return describeError(error);
  });
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
  yield* checkProxy(context);
}

/** Explains why this process connects differently from the client. Returns undefined if it does not. */
function whyHidden({ client, proxies }: DiagnosisContext): string | undefined {
  if (client.fetch !== undefined) return 'The client has its own fetch, which hides its connections.';
  if (proxies.length > 0) return `Requests go through a proxy: ${proxies.join(', ')}.`;
  return undefined;
}

async function* checkProxy({ client, proxies }: DiagnosisContext): AsyncGenerator<DoctorCheck> {
  const name: CheckName = 'proxy';
  const { HTTPS_PROXY, HTTP_PROXY, https_proxy, http_proxy } = globalThis.process?.env ?? {};
  const isUnused = proxies.length === 0 && [HTTPS_PROXY, HTTP_PROXY, https_proxy, http_proxy].some(Boolean);
  if (proxies.length > 0) yield ok(name, `Requests go through ${proxies.join(', ')}.`);
  else if (client.fetch !== undefined)
    yield skipped(name, 'The client has its own fetch, which may use one.');
  else if (isUnused)
    yield warning(
      name,
      'The environment names a proxy, and the client does not use it.',
      'Set NODE_USE_ENV_PROXY=1 on Node 22.21 or later, or pass an agent.',
    );
  else yield ok(name, 'None: requests go straight to the platform.');
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
