import { checkReceiver, type ReceiverLike } from './check-receiver.js';
import { drain, NodeDelivery, type NodeRequest } from './node-body.js';

/** The part of a node:http response that the handler uses. */
export interface NodeResponse {
  /** The HTTP status. */
  statusCode: number;
  /** Whether a response was already sent. */
  readonly headersSent?: boolean;
  /** Sets a header. */
  setHeader(name: string, value: string): unknown;
  /** Sends the response. */
  end(): unknown;
}

/** The part of a Koa context that the handler uses. */
export interface KoaContext {
  /** The request of node:http. */
  readonly req: NodeRequest;
  /** The response of node:http. */
  readonly res: object;
  /** Koa's request. Parsers store `rawBody` and `body` in it. */
  readonly request: object;
  /** The HTTP status of the response. */
  status: number;
  /** The body of the response. */
  body: unknown;
  /** Sets a header of the response. */
  set(name: string, value: string): unknown;
}

/** The part of a Fastify request that the handler uses, in a controller of NestJS for example. */
export interface FastifyRequestLike {
  /** The request of node:http. */
  readonly raw: NodeRequest;
}

/** The part of a Fastify reply that the handler uses. */
export interface FastifyReplyLike {
  /** The response of node:http. */
  readonly raw: object;
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets a header. */
  header(name: string, value: string): unknown;
  /** Sends the response. */
  send(payload: string): unknown;
}

/** A request handler for node:http and frameworks that are built on it, and also a Koa middleware. */
export interface NodeHandler {
  (request: NodeRequest, response: NodeResponse, next?: unknown): Promise<void>;
  (request: FastifyRequestLike, reply: FastifyReplyLike): Promise<void>;
  (context: KoaContext, next?: unknown): Promise<void>;
}

type Input = NodeRequest | FastifyRequestLike | KoaContext;

const isContext = (input: Input): input is KoaContext =>
  ['req', 'res', 'request', 'status'].every((name) => name in Object(input));

const isResponse = (input: unknown): input is NodeResponse =>
  typeof (input as Partial<NodeResponse> | undefined)?.end === 'function';

const isReply = (input: unknown): input is FastifyReplyLike => {
  const { raw, code, send } = Object(input) as Partial<FastifyReplyLike>;
  return raw !== undefined && typeof code === 'function' && typeof send === 'function';
};

const notFromNode =
  'The handler of toNodeHandler takes the request and response of node:http or Fastify, or a Koa context. For a Request, as in Hono, Next.js route handlers and Bun, use receiver.fetch.';

/**
 * Creates a handler for node:http, Express 4 and 5, Koa, NestJS on Express and Fastify, API routes of Next and
 * functions of Vercel. In Fastify itself, register `fastifyWebhooks` instead.
 *
 * The handler reads the body itself, so register it before any body parser. If a parser ran first, the
 * handler uses `request.rawBody`, or `request.body` if it is a string or bytes. Without either, it responds with
 * 500, and calls `onError` with an error that explains what to change.
 *
 * @example
 * ```ts
 * app.post('/webhooks', toNodeHandler(receiver)); // Express: above app.use(express.json())
 * createServer(toNodeHandler(receiver)).listen(3000); // node:http
 * ```
 */
export function toNodeHandler(receiver: ReceiverLike): NodeHandler {
  checkReceiver('toNodeHandler', receiver);
  return async (input: Input, response?: unknown) => {
    if (isResponse(response)) await respondInNode(receiver, input as NodeRequest, response);
    else if (isReply(response)) await respondInFastify(receiver, input as FastifyRequestLike, response);
    else if (isContext(input)) await respondInKoa(receiver, input);
    else throw new TypeError(notFromNode);
  };
}

async function respondInNode(receiver: ReceiverLike, request: NodeRequest, response: NodeResponse) {
  const status = await statusFor(receiver, request, request);
  if (response.headersSent === true) return;
  response.statusCode = status;
  if (status === 405) response.setHeader('allow', 'POST');
  response.end();
  drain(request);
}

async function respondInFastify(
  receiver: ReceiverLike,
  request: FastifyRequestLike,
  reply: FastifyReplyLike,
) {
  const status = await statusFor(receiver, request.raw, request);
  if (status === 405) reply.header('allow', 'POST');
  reply.code(status);
  reply.send('');
  drain(request.raw);
}

async function respondInKoa(receiver: ReceiverLike, context: KoaContext) {
  const status = await statusFor(receiver, context.req, context.request);
  // Without a body, Koa would respond with 204.
  context.body = '';
  context.status = status;
  if (status === 405) context.set('allow', 'POST');
  drain(context.req);
}

async function statusFor(receiver: ReceiverLike, request: NodeRequest, parsed: object): Promise<number> {
  if (request.method !== 'POST') return 405;
  const { status } = await receiver.receive(new NodeDelivery(request, parsed));
  return status;
}
