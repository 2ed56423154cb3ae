import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MerchantReference } from '../merchants/merchant-control.js';
import { type Answer, firstHalf } from './wire.js';

export interface ListenOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
}

/** The sandbox on a port. */
export interface SandboxServer {
  readonly url: string;
  readonly port: number;
  /** For a client that reaches the sandbox over HTTP; without a merchant it is the sandbox's own. */
  clientOptions(merchant?: MerchantReference): { baseUrl: string; clientId: string; clientSecret: string };
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

/** Serves what `answer` says to a request from an address. */
export async function serve(
  answer: (request: Request, address: string) => Promise<Answer>,
  { port = 0, host = '127.0.0.1' }: ListenOptions,
): Promise<Omit<SandboxServer, 'clientOptions'>> {
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      return overHttp(answer(request, incoming.socket.remoteAddress ?? ''), outgoing);
    },
    overrideGlobalObjects: false,
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${reachable(host)}:${actualPort}`,
    port: actualPort,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** An address to connect to: a server on every interface is reached on loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** An answer on a socket. What has no response is written, or not written, by hand. */
async function overHttp(pending: Promise<Answer>, outgoing: ServerResponse): Promise<Response> {
  let answer: Answer;
  try {
    answer = await pending;
  } catch {
    // The caller went away, or the sandbox was closed: there is nobody to answer.
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  switch (answer.kind) {
    case 'response':
      return answer.response;
    case 'reset':
      outgoing.socket?.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case 'hang':
      // Keep-alive connections end when the caller or the server closes them.
      return RESPONSE_ALREADY_SENT;
    case 'truncate': {
      const { headers, half } = await firstHalf(answer.response);
      outgoing.writeHead(answer.response.status, Object.fromEntries(headers));
      outgoing.write(half, () => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
    }
  }
}
