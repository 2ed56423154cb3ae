import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { inspect } from 'node:util';
import { Read, type Reader } from '../../input/options.js';

/** Where a server listens, and under which further names it may be reached. */
export interface Listener {
  /** As it was given to `listen`. */
  readonly host: string;
  /** The address it is bound to. */
  readonly address: string;
  readonly port: number;
  /** Lower case; without a port any is meant. */
  readonly allowedHosts: ReadonlySet<string>;
}

/** Why a request is not let in. */
export interface Refusal {
  readonly status: 400 | 403 | 421;
  readonly code: string;
  readonly message: string;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

const everywhere = ['0.0.0.0', '::'];

/**
 * Keeps web pages out. A page whose name was bound anew to a loopback address (DNS rebinding) sends its
 * own name as Host, and a page that posts across origins says so in Origin or Sec-Fetch-Site.
 *
 * @returns why a request is refused, before anything of its body is read; undefined when it may pass.
 */
export function createHostCheck(listener: Listener): (incoming: IncomingMessage) => Refusal | undefined {
  const own = ownNames(listener);
  const isAllowed = (authority: string, incoming: IncomingMessage) =>
    own.has(authority) ||
    listener.allowedHosts.has(authority) ||
    listener.allowedHosts.has(authority.replace(/:\d+$/, '')) ||
    withPort(literal(incoming.socket.localAddress ?? ''), listener.port).includes(authority);

  return (incoming) => {
    const hosts = valuesOf(incoming, 'host');
    const [host = ''] = hosts;
    if (hosts.length !== 1 || host === '') {
      return badRequest('A request carries one Host header.');
    }
    const target = targetOf(incoming.url ?? '');
    if (target === undefined) {
      return badRequest('The request target is a path, or a whole http URL, without "." and "..".');
    }
    const authorities = [host, target.authority ?? host].map((name) => name.toLowerCase());
    if (!authorities.every((authority) => isAllowed(authority, incoming))) {
      const names = [...own, ...listener.allowedHosts].join(', ');
      return {
        status: 421,
        code: 'unknown_host',
        message: `This sandbox answers as ${names}. Another name needs listen({ allowedHosts: ['name'] }).`,
      };
    }
    return isForeign(incoming, host.toLowerCase()) ? foreignOrigin : undefined;
  };
}

const foreignOrigin: Refusal = {
  status: 403,
  code: 'foreign_origin',
  message: 'The sandbox takes no requests from web pages of other origins.',
};

const badRequest = (message: string): Refusal => ({ status: 400, code: 'bad_request', message });

function ownNames({ host, address, port }: Listener): Set<string> {
  const names = [host.toLowerCase(), address].filter((name) => !everywhere.includes(name)).map(literal);
  const isLocal = everywhere.includes(address) || address === '::1' || address.startsWith('127.');
  return new Set([...names, ...(isLocal ? loopbackNames : [])].flatMap((name) => withPort(name, port)));
}

/** An address as it stands in a URL. IPv4 may be written as IPv6. */
function literal(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIPv6(plain) ? `[${plain}]` : plain;
}

/** The default port may be left out. */
const withPort = (name: string, port: number) =>
  port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`];

/** Every value of a header, in the order of the request: Node shows the first of some, and joins others. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** A request target, and the authority it names; undefined when it is neither a path nor an http URL. */
function targetOf(target: string): { authority: string | undefined } | undefined {
  const [, authority, path = ''] = /^(?:http:\/\/([^/?#\\]*))?([^?#]*)/.exec(target) ?? [];
  const isPath = path.startsWith('/') || (path === '' && authority !== undefined);
  return isPath && !/\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path) ? { authority } : undefined;
}

/** Clients that are no browsers send neither header. */
function isForeign(incoming: IncomingMessage, host: string): boolean {
  const own = [`http://${host}`, `https://${host}`];
  const sites = valuesOf(incoming, 'sec-fetch-site').map((site) => site.toLowerCase());
  return (
    valuesOf(incoming, 'origin').some((origin) => !own.includes(origin.toLowerCase())) ||
    sites.some((site) => site !== 'same-origin' && site !== 'none')
  );
}

/** A list of host names and addresses, with or without a port. */
export const hostList: Reader<readonly string[]> = {
  read: (given) => {
    if (!Array.isArray(given))
      return new Read<string[]>(undefined, [{ path: '', message: 'must be a list' }]);
    const hosts: unknown[] = Array.from(given);
    const issues = hosts.flatMap((host, index) =>
      isHost(host) ? [] : [{ path: String(index), message: `${hostRule}, not ${inspect(host)}` }],
    );
    return new Read(hosts.filter(isHost), issues);
  },
};

const hostRule = "must be a name such as 'sandbox' or 'sandbox:4010', without a scheme";

const isHost = (host: unknown): host is string =>
  typeof host === 'string' && (/^[a-z0-9_.-]+(:\d+)?$/i.test(host) || isBracketed(host));

const isBracketed = (host: string) => isIP(/^\[([^\]]*)\](:\d+)?$/.exec(host)?.[1] ?? '') === 6;
