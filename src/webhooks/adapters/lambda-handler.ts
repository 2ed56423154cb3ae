import type { DeliveryHeaders } from '../types.js';
import { checkReceiver, type ReceiverLike } from './check-receiver.js';

/**
 * The part of an event that the handler uses. API Gateway (v1 and v2), function URLs and load balancers send
 * it.
 */
export interface LambdaHttpEvent {
  /** The method, except in v2. */
  readonly httpMethod?: string | undefined;
  /** The request context. The receiver reads `http.method` from it, and whether it has `elb`. */
  readonly requestContext?: object | undefined;
  /** The headers, with one value each. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** The headers with all values, in v1 and from some load balancers. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  /** The path, in payload format 1.0 and from load balancers. */
  readonly path?: string | undefined;
  /** The path, in payload format 2.0. */
  readonly rawPath?: string | undefined;
  /** The query, in v2. */
  readonly rawQueryString?: string | undefined;
  /** The query, in v1 and from load balancers. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** The query with all values, in v1 and from load balancers with multi-value headers. */
  readonly multiValueQueryStringParameters?:
    | Readonly<Record<string, readonly string[] | undefined>>
    | null
    | undefined;
  /** The body as a string or in base64. */
  readonly body?: string | null | undefined;
  /** Whether the body is in base64. */
  readonly isBase64Encoded?: boolean | undefined;
}

/** The Lambda function's response. */
export interface LambdaHttpResult {
  /** The HTTP status. */
  statusCode: number;
  /** Empty, except for a 405. */
  headers: Record<string, string>;
  /** Set only if the event has `multiValueHeaders`: a load balancer that sends them also expects them. */
  multiValueHeaders?: Record<string, string[]>;
  /** Always empty. */
  body: string;
  /** Always false. */
  isBase64Encoded: boolean;
}

/**
 * Creates a handler for AWS Lambda behind API Gateway (v1 and v2), a function URL or an Application Load
 * Balancer.
 *
 * @example
 * ```ts
 * export const handler = toLambdaHandler(receiver);
 * ```
 */
export function toLambdaHandler(receiver: ReceiverLike) {
  checkReceiver('toLambdaHandler', receiver);
  return async (input: LambdaHttpEvent, _context?: unknown): Promise<LambdaHttpResult> => {
    const event = input ?? {};
    const method = findMethod(event);
    if (method !== 'POST') return result(event, 405, { allow: 'POST' });
    const { status } = await receiver.receive({
      body: decodeBody(event),
      headers: joinHeaders(event),
      url: buildUrl(event),
    });
    return result(event, status, {});
  };
}

function findMethod({ httpMethod, requestContext }: LambdaHttpEvent): string {
  const { http } = (requestContext ?? {}) as { http?: { method?: string } };
  return httpMethod ?? http?.method ?? 'POST';
}

/** Some services send both, some send only one, and some leave one empty. */
const joinHeaders = ({ multiValueHeaders, headers }: LambdaHttpEvent): DeliveryHeaders => ({
  ...headers,
  ...multiValueHeaders,
});

function buildUrl(event: LambdaHttpEvent): string | undefined {
  const { path, rawPath = path, rawQueryString = joinQuery(event) } = event;
  return rawQueryString === '' ? rawPath : `${rawPath ?? ''}?${rawQueryString}`;
}

/** A load balancer passes them encoded, and API Gateway decoded. */
function joinQuery(event: LambdaHttpEvent): string {
  const { queryStringParameters, multiValueQueryStringParameters, requestContext } = event;
  const isEncoded = 'elb' in Object(requestContext);
  // encodeURIComponent throws for a lone surrogate.
  const encode = (text: string) =>
    isEncoded ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  return Object.entries(multiValueQueryStringParameters ?? queryStringParameters ?? {})
    .flatMap(([name, value = '']) => [value].flat().map((one) => `${encode(name)}=${encode(one)}`))
    .join('&');
}

function decodeBody({ body, isBase64Encoded }: LambdaHttpEvent): string | Uint8Array {
  if (typeof body !== 'string' || isBase64Encoded !== true) return body ?? '';
  try {
    return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  } catch {
    // The body is not base64, so the string itself is verified.
    return body;
  }
}

function result(
  { multiValueHeaders }: LambdaHttpEvent,
  statusCode: number,
  headers: Record<string, string>,
): LambdaHttpResult {
  const response: LambdaHttpResult = { statusCode, headers, body: '', isBase64Encoded: false };
  if (multiValueHeaders)
    response.multiValueHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    );
  return response;
}
