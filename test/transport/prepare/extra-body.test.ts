import { expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { formServer, json } from '../../support/form-server.js';
import { paid, pix } from '../../support/payments.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

/** An order whose `toJSON` chooses the sent fields. */
class Order {
  readonly inReais = 19.9;

  toJSON() {
    return pix;
  }
}

onBothEngines((engine) => {
  const connect = async () => {
    const server = opens(await formServer((response) => json(response, 200, paid)));
    return { server, platform: opens(clientOn(engine, server.url)) };
  };
  const sent = (body: Uint8Array | undefined) => JSON.parse(Buffer.from(body ?? []).toString());

  test('extraBody is added to the JSON body of create and of reconcile (row 62)', async () => {
    const { server, platform } = await connect();
    const extraBody = { metadata: { channel: 'app' } };
    const order = new Order() as unknown as typeof pix;
    await platform.payments.create(order, { idempotencyKey: 'order-1', extraBody });
    await platform.payments.reconcile(order, { idempotencyKey: 'order-1', extraBody });
    const bodies = server.received.map(({ body }) => sent(body));
    expect(bodies[0]).toEqual({ ...pix, ...extraBody });
    expect(bodies[1]).toEqual(bodies[0]);
  });

  test('an error explains that the body is a Promise, with and without extraBody', async () => {
    const { server, platform } = await connect();
    const body = Promise.resolve(pix) as unknown as typeof pix;
    const error = await catchError(platform.payments.create(body, { extraBody: { metadata: {} } }));
    expect(error).toMatchObject({ name: 'ValidationError' });
    expect(error.message).toContain('is a Promise. Await it first');
    expect(server.received).toHaveLength(0);
  });

  test('a body whose toJSON returns the body itself is accepted', async () => {
    const { server, platform } = await connect();
    const order = { ...pix, toJSON: undefined as unknown };
    order.toJSON = () => order;
    Object.defineProperty(order, 'toJSON', { enumerable: false });
    await platform.payments.create(order as unknown as typeof pix);
    expect(sent(server.received[0]?.body)).toEqual(pix);
  });

  test('undefined values in a query’s array are omitted, and an invalid value causes one issue', async () => {
    const { server, platform } = await connect();
    await platform.request({ method: 'GET', path: '/v1/x', query: { a: [undefined, 'b'] } });
    expect(server.received[0]?.path).toBe('/v1/x?a=b');
    const wrong = platform.request({ method: 'GET', path: '/v1/x', query: { a: [Number.NaN] } });
    expect(await catchError(wrong)).toMatchObject({ issues: [{ path: 'query.a.0' }] });
  });
});
