import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { json } from './form-server.js';
import { paid } from './payments.js';

interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Behaviour {
  /** Responds to a token request, the nth from 0. Default: `token-1`, `token-2`, … for an hour. */
  readonly token?: (response: ServerResponse, index: number, request: ReceivedRequest) => unknown;
  /** Responds to any other request. Default: 200 for the newest token, 401 otherwise. */
  readonly call?: (response: ServerResponse, index: number, request: ReceivedRequest) => unknown;
}

/** Starts a platform that issues tokens and rejects requests without a valid token. */
export async function tokenServer({ token, call }: Behaviour = {}) {
  const tokens: ReceivedRequest[] = [];
  const calls: ReceivedRequest[] = [];
  const state = { valid: '' };
  const issue = (response: ServerResponse, index: number) => {
    state.valid = `token-${index + 1}`;
    json(response, 200, { access_token: state.valid, token_type: 'Bearer', expires_in: 3600 });
  };
  const server = createServer(async (request, response) => {
    const received = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    if (received.path === '/oauth/token')
      return (token ?? issue)(response, tokens.push(received) - 1, received);
    const index = calls.push(received) - 1;
    if (call !== undefined) return call(response, index, received);
    const isValid = received.headers.authorization === `Bearer ${state.valid}`;
    return json(response, isValid ? 200 : 401, isValid ? paid : { message: 'who are you?' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    calls,
    issue,
    /** Sets the only token that the platform accepts from now on. By default, it accepts no issued token. */
    revoke: (valid = 'none') => {
      state.valid = valid;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
