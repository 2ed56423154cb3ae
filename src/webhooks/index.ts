export type {
  EventName,
  TransactionEvent,
  TransactionEventName,
  UnknownEvent,
  WebhookEvent,
} from '../contract/events.js';
export { type ErrorCode, isPaymentPlatformError, PaymentPlatformError } from '../errors/base.js';
export { ConfigurationError } from '../errors/usage.js';
export { WebhookVerificationError, type WebhookVerificationReason } from '../errors/webhook.js';
export type { RawBody } from '../platform/signed-delivery.js';
export type {
  ClaimDetails,
  ClaimResult,
  DedupeStore,
  DedupeTransaction,
} from '../stores/dedupe-store.js';
export type {
  PostgresClient,
  PostgresJs,
  PostgresPool,
  PostgresQueries,
  PostgresResult,
} from '../stores/postgres/client.js';
export { type PostgresDedupeOptions, postgresDedupe } from '../stores/postgres/dedupe.js';
export { postgresDedupeSql } from '../stores/postgres/dedupe-sql.js';
export type { RunInTransaction } from '../stores/postgres/dedupe-transaction.js';
export type { RedisClient, RedisStoreOptions } from '../stores/redis/client.js';
export { redisDedupe } from '../stores/redis/stores.js';
export type { SqliteDatabase } from '../stores/sqlite/database.js';
export {
  type D1Database,
  d1Dedupe,
  type SqliteDedupeOptions,
  sqliteDedupe,
  sqliteDedupeSql,
} from '../stores/sqlite/dedupe.js';
export {
  type DedupeNamespace,
  DedupeObject,
  type DedupeObjectState,
  durableObjectDedupe,
} from '../stores/sqlite/durable-object.js';
export { type LibsqlClient, libsqlDedupe } from '../stores/sqlite/libsql.js';
export type { TelemetryApi } from '../telemetry/api.js';
export { type OpenTelemetryOptions, openTelemetry } from '../telemetry/open-telemetry.js';
export type { Telemetry } from '../telemetry/telemetry.js';
export {
  type FastifyWebhookInstance,
  type FastifyWebhookReply,
  type FastifyWebhookRequest,
  type FastifyWebhooksOptions,
  fastifyWebhooks,
} from './adapters/fastify-webhooks.js';
export { type LambdaHttpEvent, type LambdaHttpResult, toLambdaHandler } from './adapters/lambda-handler.js';
export type { NodeRequest } from './adapters/node-body.js';
export {
  type FastifyReplyLike,
  type FastifyRequestLike,
  type KoaContext,
  type NodeHandler,
  type NodeResponse,
  toNodeHandler,
} from './adapters/node-handler.js';
export { type MemoryDedupeOptions, memoryDedupe } from './memory-dedupe.js';
export type { ReceiveOutcome, ReceiveResult } from './outcome.js';
export { createReceiver } from './receive.js';
export type { ReceiverOptions } from './receiver-options.js';
export { type SignatureEncoding, type SignOptions, sign } from './signature.js';
export type {
  Delivery,
  DeliveryHeaders,
  DeliveryReport,
  DeliveryRequest,
  EndpointSecret,
  EventHandler,
  EventHandlers,
  FetchContext,
  IdentifiedDelivery,
  IncomingDelivery,
  ReceivedDelivery,
  ReceiveFailure,
  Receiver,
  RejectedRequest,
  SecretSource,
  VerifyOptions,
} from './types.js';
export { parseUnverified, verify, verifyAsync } from './verify.js';
