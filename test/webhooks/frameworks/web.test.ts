/** Tests frameworks whose handlers receive a Request and return a Response. */
import { createServer, type IncomingMessage } from 'node:http';
import type { Receiver } from 'payment-platform/webhooks';
import { type Application, holdsTheTable, saysWhoParsedTheBody } from './expectations.js';
import { inProcess, listening } from './transports.js';

type Fetch = (request: Request) => Promise<Response>;

/**
 * Creates a body that closes the connection when it is cancelled, as in the servers of SvelteKit and Remix.
 */
const createBody = (incoming: IncomingMessage) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('error', (error) => controller.error(error));
      incoming.on('end', () => controller.close());
      incoming.on('data', (chunk) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
    },
    pull: () => void incoming.resume(),
    cancel: (reason) => void incoming.destroy(reason),
  });

/** Starts a node:http server that creates Requests, as these frameworks do. */
function serving(fetch: Fetch): Promise<Application> {
  return listening(
    createServer(async (incoming, outgoing) => {
      const { method = 'GET', url, headers } = incoming;
      const body = method === 'GET' ? null : createBody(incoming);
      const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
      const request = new Request(`http://merchant.test${url}`, {
        method,
        headers: fields,
        body,
        duplex: 'half',
      });
      const response = await fetch(request);
      const text = await response.text();
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(text);
    }),
  );
}

/** Lists the handlers' shapes, each called as its framework does. */
const handlers: readonly (readonly [string, (receiver: Receiver) => Fetch])[] = [
  [
    'a route handler of Next',
    (receiver) => {
      // app/webhooks/route.ts
      const POST = receiver.fetch;
      // Next requires this type of a route's exports.
      const route = { POST } satisfies {
        POST?: (request: Request, context: { params: Promise<Record<never, string>> }) => Promise<Response>;
      };
      return (request) => route.POST(request, { params: Promise.resolve({}) });
    },
  ],
  [
    'an action of Remix',
    (receiver) => {
      // app/routes/webhooks.ts
      const action = ({ request }: { request: Request; params: object; context: object }) =>
        receiver.fetch(request);
      return (request) => action({ request, params: {}, context: {} });
    },
  ],
  [
    'an endpoint of SvelteKit',
    (receiver) => {
      // src/routes/webhooks/+server.ts
      const POST = ({ request }: { request: Request; url: URL }) => receiver.fetch(request);
      return (request) => POST({ request, url: new URL(request.url) });
    },
  ],
  [
    'Bun.serve and Deno.serve',
    (receiver) => {
      // The second argument is the server or the caller's address.
      const fetch: (
        request: Request,
        info: { remoteAddr: object; completed: Promise<void> },
      ) => Promise<Response> = receiver.fetch;
      return (request) => fetch(request, { remoteAddr: {}, completed: Promise.resolve() });
    },
  ],
];

for (const [name, handlerWith] of handlers) {
  holdsTheTable(`${name}, on a server`, (receiver) => serving(handlerWith(receiver)));
  holdsTheTable(`${name}, in the same process`, (receiver) => inProcess(handlerWith(receiver)));
}

saysWhoParsedTheBody(
  'a handler that parses the Request before',
  (receiver) =>
    serving(async (request) => {
      await request.json();
      return receiver.fetch(request);
    }),
  'await request.json()',
);
