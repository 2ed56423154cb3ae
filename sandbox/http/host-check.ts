import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

export interface Listener {
  /** The `host` option of `listen`. */
  readonly host: string;
  /** The server's bound address. */
  readonly address: string;
  readonly port: number;
  /** A name without a port allows any port. */
  readonly allowedHosts: ReadonlySet<string>;
}

export interface HostRejection {
  readonly status: 400 | 403 | 421;
  readonly code: string;
  readonly message: string;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

const everywhere = ['0.0.0.0', '::'];

/**
 * A page whose domain resolves to a loopback address (DNS rebinding) sends that domain as Host, and a browser
 * marks requests across origins with Origin or Sec-Fetch-Site.
 */
export function createHostCheck(
  listener: Listener,
): (incoming: IncomingMessage) => HostRejection | undefined {
  const own = ownNames(listener);
  const isAllowed = (authority: string, incoming: IncomingMessage) =>
    own.has(authority) ||
    own.has(withoutPort(authority)) ||
    listener.allowedHosts.has(authority) ||
    listener.allowedHosts.has(withoutPort(authority)) ||
    withPort(literal(incoming.socket.localAddress ?? ''), listener.port).includes(authority);

  return (incoming) => {
    const hosts = listValues(incoming, 'host');
    const [host = ''] = hosts;
    if (hosts.length !== 1 || host === '') {
      return badRequest('A request must have exactly one Host header.');
    }
    if (listValues(incoming, 'x-idempotency-key').length > 1) {
      return badRequest('A request must have at most one x-idempotency-key header.');
    }
    const target = parseTarget(incoming.url ?? '');
    if (target === undefined) {
      return badRequest(
        'The request target must be a path or an http URL, without the segments "." and "..".',
      );
    }
    const authorities = [host, target.authority ?? host].map((name) => name.toLowerCase());
    if (!authorities.every((authority) => isAllowed(authority, incoming))) {
      const names = [...own, ...listener.allowedHosts].join(', ');
      return {
        status: 421,
        code: 'unknown_host',
        message: `This host is unknown (known: ${names}). Add it with --allow-host NAME, or with listen({ allowedHosts: ['name'] }).`,
      };
    }
    return isForeign(incoming, host.toLowerCase()) ? foreignOrigin : undefined;
  };
}

const foreignOrigin: HostRejection = {
  status: 403,
  code: 'foreign_origin',
  message: 'The sandbox rejects requests from web pages of other origins.',
};

const badRequest = (message: string): HostRejection => ({ status: 400, code: 'bad_request', message });

function ownNames({ host, address, port }: Listener): Set<string> {
  const names = [host.toLowerCase(), address].filter((name) => !everywhere.includes(name)).map(literal);
  const isLocal = everywhere.includes(address) || address === '::1' || address.startsWith('127.');
  const own = names.filter((name) => !isLoopbackName(name)).flatMap((name) => withPort(name, port));
  // Loopback names are accepted with any port, because a container or a tunnel can use another port outside.
  // No domain can have one of these names.
  return new Set([...own, ...(isLocal || names.some(isLoopbackName) ? loopbackNames : [])]);
}

const isLoopbackName = (name: string) => loopbackNames.includes(name);

const withoutPort = (authority: string) => authority.replace(/:[1-9]\d{0,4}$/, '');

/** An IPv4 address in IPv6 form becomes IPv4. */
function literal(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIPv6(plain) ? `[${plain}]` : plain;
}

/** For port 80, also lists the name without a port. */
const withPort = (name: string, port: number) =>
  port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`];

/** Node drops repeated values of some headers and joins others. */
function listValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** Undefined if the target is neither a path nor an http URL. */
function parseTarget(target: string): { authority: string | undefined } | undefined {
  const [, authority, path = ''] = /^(?:http:\/\/([^/?#\\]*))?([^?#]*)/.exec(target) ?? [];
  const isPath = path.startsWith('/') || (path === '' && authority !== undefined);
  return isPath && !/\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path) ? { authority } : undefined;
}

function isForeign(incoming: IncomingMessage, host: string): boolean {
  const own = [`http://${host}`, `https://${host}`];
  const sites = listValues(incoming, 'sec-fetch-site').map((site) => site.toLowerCase());
  return (
    listValues(incoming, 'origin').some((origin) => !own.includes(origin.toLowerCase())) ||
    sites.some((site) => site !== 'same-origin' && site !== 'none')
  );
}
