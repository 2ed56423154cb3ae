import { ConfigurationError } from '../../errors/usage.js';
import { checkReceiver, type ReceiverLike } from './check-receiver.js';
import { drain, NodeDelivery, type NodeRequest } from './node-body.js';

/** The part of a Fastify request that the plugin uses. */
export interface FastifyWebhookRequest {
  /** The unread stream, which the plugin's parser passes on. */
  readonly body: unknown;
  /** The request of node:http. */
  readonly raw: NodeRequest;
  /** The path and query, before Fastify rewrote them. */
  readonly originalUrl?: string | undefined;
}

/** The part of a Fastify reply that the plugin uses. */
export interface FastifyWebhookReply {
  /** Sets the status. */
  code(status: number): { send(payload: string): unknown };
}

/** The part of a Fastify instance that the plugin uses. */
export interface FastifyWebhookInstance {
  /** Removes the parsers of the scope. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser to the scope. */
  addContentTypeParser(
    contentType: string,
    parser: (request: never, payload: never, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  /** Adds a route. */
  post(
    path: string,
    options: { config: { rawBody: false } },
    handler: (request: FastifyWebhookRequest, reply: FastifyWebhookReply) => Promise<unknown>,
  ): unknown;
}

/** Options of the plugin. */
export interface FastifyWebhooksOptions {
  /** The path for deliveries. Default `/webhooks`. */
  path?: string | undefined;
}

/**
 * Creates a plugin for Fastify 4 and 5. Bodies stay unparsed in its own scope only. Other routes are not
 * affected.
 *
 * @example
 * ```ts
 * app.register(fastifyWebhooks(receiver), { path: '/webhooks' });
 * ```
 *
 * @throws ConfigurationError for anything but a receiver, and for options, which `register` takes.
 */
export function fastifyWebhooks(
  receiver: ReceiverLike,
): (instance: FastifyWebhookInstance, options?: FastifyWebhooksOptions) => Promise<void>;
export function fastifyWebhooks(receiver: ReceiverLike, ...others: readonly unknown[]) {
  checkReceiver('fastifyWebhooks', receiver);
  if (others[0] !== undefined)
    throw new ConfigurationError(
      'fastifyWebhooks takes only a receiver. Pass the options to register: app.register(fastifyWebhooks(receiver), { path }).',
    );
  return async (instance: FastifyWebhookInstance, options: FastifyWebhooksOptions = {}): Promise<void> => {
    instance.removeAllContentTypeParsers();
    // The receiver reads the stream, within its own limits.
    instance.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const handler = async (request: FastifyWebhookRequest, reply: FastifyWebhookReply) => {
      const stream = (request.body ?? request.raw) as NodeRequest;
      const parsed = {
        get rawBody(): unknown {
          return (request as { rawBody?: unknown }).rawBody;
        },
        originalUrl: request.originalUrl,
      };
      const { status } = await receiver.receive(new NodeDelivery(stream, parsed, request.raw));
      const sent = reply.code(status).send('');
      drain(request.raw);
      return sent;
    };
    // With `rawBody: false`, fastify-raw-body does not consume the stream.
    instance.post(options.path ?? '/webhooks', { config: { rawBody: false } }, handler);
  };
}
