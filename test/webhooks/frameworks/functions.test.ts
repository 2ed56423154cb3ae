/**
 * Tests handlers of node:http with a body that the platform adds: API routes of Next, and functions of
 * Vercel.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { toNodeHandler } from 'payment-platform/webhooks';
import { type Application, holdsTheTable, saysWhoParsedTheBody } from './expectations.js';
import { listening } from './transports.js';

/** The members that both platforms add to a request and a response. */
interface ApiRequest extends IncomingMessage {
  query: Partial<Record<string, string | string[]>>;
  cookies: Partial<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: both platforms' types declare any
  body: any;
}
type ApiResponse = ServerResponse & {
  status(code: number): ApiResponse;
  send(body: unknown): unknown;
  json(body: unknown): unknown;
};
type ApiHandler = (request: ApiRequest, response: ApiResponse) => unknown | Promise<unknown>;

function calling(handler: ApiHandler, prepare: (request: ApiRequest) => unknown): Promise<Application> {
  return listening(
    createServer(async (incoming, outgoing) => {
      const request = Object.assign(incoming, { query: {}, cookies: {} }) as ApiRequest;
      await prepare(request);
      const response = Object.assign(outgoing, {
        status: (code: number) => Object.assign(response, { statusCode: code }),
        send: (body: unknown) => response.end(body),
        json: (body: unknown) => response.end(JSON.stringify(body)),
      }) as ApiResponse;
      await handler(request, response);
    }),
  );
}

const readBytes = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

holdsTheTable('an API route of Next, without its parser', (receiver) =>
  calling(toNodeHandler(receiver), () => {}),
);

holdsTheTable('a function of Vercel, whose body is a getter over a stream that nobody has read', (receiver) =>
  calling(toNodeHandler(receiver), (request) =>
    Object.defineProperty(request, 'body', {
      configurable: true,
      enumerable: true,
      get() {
        throw new Error('Invalid JSON');
      },
    }),
  ),
);

saysWhoParsedTheBody(
  'an API route of Next, with its parser',
  (receiver) =>
    calling(toNodeHandler(receiver), async (request) => {
      request.body = JSON.parse((await readBytes(request)).toString());
    }),
  'export const config = { api: { bodyParser: false } }',
);
