import type {
  ALBEvent,
  ALBHandler,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  Callback,
  Context,
  Handler,
  LambdaFunctionURLHandler,
} from 'aws-lambda';
import { type LambdaHttpResult, type Receiver, toLambdaHandler } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { notification, path, type Sent } from '../../webhooks/frameworks/deliveries.js';
import {
  type Application,
  application,
  holdsTheTable,
  saysWhoParsedTheBody,
} from '../../webhooks/frameworks/expectations.js';

const context = {} as Context;
const callback: Callback = () => {};

/** Wraps a handler as an application whose deliveries are events. */
function createApplication<Event>(
  handler: Handler<Event, unknown>,
  createEvent: (sent: Sent) => Event,
): Application {
  return {
    async deliver(sent) {
      const { statusCode, body } = (await handler(createEvent(sent), context, callback)) as LambdaHttpResult;
      return { status: statusCode, body };
    },
  };
}

const asText = ({ parts }: Sent) => ({ body: Buffer.concat(parts).toString(), isBase64Encoded: false });
const asBase64 = ({ parts }: Sent) => ({
  body: Buffer.concat(parts).toString('base64'),
  isBase64Encoded: true,
});

/** Writes headers as API Gateway and load balancers do. */
const toMultiValues = (headers: Sent['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
const inUpperCase = (headers: Sent['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));

type Body = ReturnType<typeof asText>;

const splitPath = ({ path: whole = path }: Sent) => {
  const [pathname = '', query = ''] = whole.split('?');
  return { pathname, query };
};

/** Collects the parameters of a query, with all values of each. */
function toParameters(pairs: Iterable<readonly string[]>, isMulti: boolean) {
  const names: Record<string, string[]> = {};
  for (const [name = '', value = ''] of pairs) names[name] = [...(names[name] ?? []), value];
  if (isMulti) return { multiValueQueryStringParameters: names };
  return {
    queryStringParameters: Object.fromEntries(
      Object.entries(names).map(([name, values]) => [name, values.at(-1)]),
    ),
  };
}

/** Passes the query decoded, once with one value and once with all values for each name. */
const decodedQuery = (query: string) => ({
  ...toParameters(new URLSearchParams(query), false),
  ...toParameters(new URLSearchParams(query), true),
});

/** Passes the query as it was sent, as load balancers do. */
const rawQuery = (query: string, isMulti: boolean) =>
  toParameters(
    query.split('&').flatMap((pair) => (pair === '' ? [] : [pair.split('=')])),
    isMulti,
  );

const version1 = ({ method = 'POST', headers, ...sent }: Sent, body: Body) =>
  ({
    resource: path,
    path: splitPath({ headers, ...sent }).pathname,
    ...decodedQuery(splitPath({ headers, ...sent }).query),
    httpMethod: method,
    headers: inUpperCase(headers),
    multiValueHeaders: toMultiValues(inUpperCase(headers)),
    ...body,
  }) as unknown as APIGatewayProxyEvent;

const version2 = ({ method = 'POST', headers, ...sent }: Sent, body: Body) =>
  ({
    version: '2.0',
    rawPath: splitPath({ headers, ...sent }).pathname,
    rawQueryString: splitPath({ headers, ...sent }).query,
    headers,
    requestContext: { http: { method, path } },
    ...body,
  }) as unknown as APIGatewayProxyEventV2;

const balanced = ({ method = 'POST', headers, ...sent }: Sent, body: Body, isMulti: boolean): ALBEvent => ({
  requestContext: { elb: { targetGroupArn: 'arn' } },
  httpMethod: method,
  path: splitPath({ headers, ...sent }).pathname,
  ...rawQuery(splitPath({ headers, ...sent }).query, isMulti),
  ...(isMulti ? { multiValueHeaders: toMultiValues(headers) } : { headers }),
  ...body,
});

// The handler accepts each service's types.
const ways: Readonly<Record<string, (receiver: Receiver, encodeBody: (sent: Sent) => Body) => Application>> =
  {
    'API Gateway v1': (receiver, encodeBody) => {
      const handler: APIGatewayProxyHandler = toLambdaHandler(receiver);
      return createApplication(handler, (sent) => version1(sent, encodeBody(sent)));
    },
    'API Gateway v2': (receiver, encodeBody) => {
      const handler: APIGatewayProxyHandlerV2 = toLambdaHandler(receiver);
      return createApplication(handler, (sent) => version2(sent, encodeBody(sent)));
    },
    'a function URL': (receiver, encodeBody) => {
      const handler: LambdaFunctionURLHandler = toLambdaHandler(receiver);
      return createApplication(handler, (sent) => version2(sent, encodeBody(sent)));
    },
    'a load balancer': (receiver, encodeBody) => {
      const handler: ALBHandler = toLambdaHandler(receiver);
      return createApplication(handler, (sent) => balanced(sent, encodeBody(sent), false));
    },
    'a load balancer with multi-value headers': (receiver, encodeBody) => {
      const handler: ALBHandler = toLambdaHandler(receiver);
      return createApplication(handler, (sent) => balanced(sent, encodeBody(sent), true));
    },
  };

for (const [name, start] of Object.entries(ways)) {
  holdsTheTable(`Lambda behind ${name}`, (receiver) => start(receiver, asText), { bodyIsReadBefore: true });
  holdsTheTable(`Lambda behind ${name}, in base64`, (receiver) => start(receiver, asBase64), {
    bodyIsReadBefore: true,
  });
}

saysWhoParsedTheBody(
  'Lambda, below a parser of bodies',
  (receiver) =>
    createApplication(toLambdaHandler(receiver) as Handler, (sent) => ({
      ...version2(sent, asText(sent)),
      body: JSON.parse(Buffer.concat(sent.parts).toString()),
    })),
  'AWS Lambda: no parser',
);

describe('toLambdaHandler', () => {
  let receiver: Receiver | undefined;
  const { watch } = application((input) => {
    receiver = input;
    return { deliver: async () => undefined };
  });
  const call = (event: object) => toLambdaHandler(receiver as Receiver)(event);
  const { body, headers } = notification();

  test('rejects an empty test event from the AWS console', async () => {
    const watched = watch();
    expect(await call({})).toMatchObject({ statusCode: 400 });
    expect(await call({ headers: null, multiValueHeaders: null, body: null })).toMatchObject({
      statusCode: 400,
    });
    expect(watched.hookCalls).toEqual(['onRejected missing-timestamp', 'onRejected missing-timestamp']);
  });

  test('verifies the body without decoding it if isBase64Encoded is wrongly true', async () => {
    const watched = watch();
    const event = { headers, isBase64Encoded: true };
    expect(await call({ ...event, body: `${body} ` })).toMatchObject({ statusCode: 400 });
    expect(await call({ ...event, body: String(body) })).toMatchObject({ statusCode: 200 });
    expect(watched.effects).toBe(1);
  });

  test.each([
    ['multiValueHeaders is empty', { multiValueHeaders: {}, headers }],
    ['headers is empty', { multiValueHeaders: toMultiValues(headers), headers: {} }],
  ])('reads the headers if only one of the event’s two header objects contains them: %s', async (_, both) => {
    const watched = watch();
    expect(await call({ ...both, body: body.toString() })).toMatchObject({ statusCode: 200 });
    expect(watched.effects).toBe(1);
  });

  test('rejects a delivery with a repeated header', async () => {
    const watched = watch();
    const twice = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value, value]]));
    expect(await call({ multiValueHeaders: twice, body: body.toString() })).toMatchObject({
      statusCode: 400,
    });
    expect(watched.hookCalls).toEqual(['onRejected malformed-timestamp']);
  });

  test.each([
    ['queryStringParameters', { 'shop\ud800': 'Ana \udc00 \u{1f600}' }],
    ['multiValueQueryStringParameters', { 'shop\ud800': ['Ana \udc00 \u{1f600}'] }],
  ])('replaces lone surrogates in %s, and handles the delivery', async (name, parameters) => {
    const watched = watch();
    const urls: unknown[] = [];
    const handler = toLambdaHandler({
      receive(delivery) {
        urls.push(delivery.url);
        return (receiver as Receiver).receive(delivery);
      },
    });
    const event = { path: '/hook', headers, body: String(body), [name]: parameters };
    expect(await handler(event)).toMatchObject({ statusCode: 200 });
    expect(urls).toEqual(['/hook?shop%EF%BF%BD=Ana%20%EF%BF%BD%20%F0%9F%98%80']);
    expect(watched.effects).toBe(1);
  });

  test('adds the header Allow to a 405, in the format of the event', async () => {
    expect(await call({ httpMethod: 'GET', headers: {} })).toEqual({
      statusCode: 405,
      headers: { allow: 'POST' },
      body: '',
      isBase64Encoded: false,
    });
    expect(await call({ httpMethod: 'GET', multiValueHeaders: {} })).toMatchObject({
      multiValueHeaders: { allow: ['POST'] },
    });
  });
});
