import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedForm {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Starts a server that stores uploads byte for byte, and responds with `respond`. */
export async function formServer(
  respond: (response: ServerResponse, index: number, request: ReceivedForm) => void = accept,
) {
  const received: ReceivedForm[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    // The client has aborted the request, so no response is possible.
    if (body === undefined) return;
    const { method = '', url = '', headers } = request;
    const form = { method, path: url, headers, body };
    respond(response, received.push(form) - 1, form);
  });
  // An idle connection that closes at the moment of a new request would fail a correct call.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The platform's response to a submission. */
export const registration = {
  registration_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  status: 'submitted',
};

export function accept(response: ServerResponse): void {
  json(response, 202, registration);
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
