import { type DriftEvent, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { expect, test } from 'vitest';
import { clientOn, onBothEngines } from '../../support/engines.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

/** Collects issues as `path message`, with the hook that receives them. */
function collected() {
  const drifts: string[] = [];
  const onDrift = ({ issues }: DriftEvent) =>
    void drifts.push(...issues.map(({ path, message }) => `${path} ${message}`));
  return { drifts, hooks: { onDrift } };
}

test('a Pix code in the assumed field pix is not reported as drift', async () => {
  await using sandbox = createSandbox({ responses: { pixCode: 'pix.qrCode' } });
  const { drifts, hooks } = collected();
  const platform = opens(new PaymentPlatform({ ...sandbox.clientOptions(), hooks }));
  const payment = await platform.payments.create<{ pix: { qrCode: string } }>(pix);
  expect(payment.pix.qrCode).toMatch(/^0002/);
  expect(drifts).toEqual([]);
});

onBothEngines((engine) => {
  test('onDrift reports a response whose amount and method differ from the request', async () => {
    const other = JSON.stringify({ ...paid, amount: 990, paymentMethod: 'boleto' });
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(other))));
    const { drifts, hooks } = collected();
    const platform = opens(clientOn(engine, server.url, { hooks }));
    expect(await platform.payments.create(pix)).toMatchObject({ amount: 990 });
    const message = 'differs from the request. Was the key used for another payment?';
    expect(drifts).toEqual([`amount ${message}`, `paymentMethod ${message}`]);
  });

  test('onDrift shows the SDK’s own messages even if the customer’s name contains the same words', async () => {
    const body = JSON.stringify({ ...paid, surprise: 1 });
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(body))));
    const { drifts, hooks } = collected();
    const platform = opens(clientOn(engine, server.url, { hooks }));
    await platform.payments.create({ ...pix, customer: { ...pix.customer, name: 'Unknown Field' } });
    expect(drifts).toEqual(['surprise is an unknown field']);
  });

  test('onDrift reports the same issue of an operation only once for each client', async () => {
    let body: object = { ...paid, surprise: 1 };
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(body)))));
    const first = collected();
    const platform = opens(clientOn(engine, server.url, { hooks: first.hooks }));
    for (let call = 0; call < 5; call++) await platform.payments.create(pix);
    expect(first.drifts).toEqual(['surprise is an unknown field']);
    body = {
      ...paid,
      surprise: 1,
      another: 1,
      items: [
        { title: 'x', quantity: 1, unitPrice: 1990, odd: 1 },
        { title: 'x', quantity: 1, unitPrice: 1990, odd: 1 },
      ],
    };
    await platform.payments.create(pix);
    expect(first.drifts.slice(1)).toEqual(['items.0.odd is an unknown field', 'another is an unknown field']);
    const second = collected();
    await opens(clientOn(engine, server.url, { hooks: second.hooks })).payments.create(pix);
    expect(second.drifts).toContain('surprise is an unknown field');
  });

  test('onDrift still reports issues after many responses that each had new field names', async () => {
    let call = 0;
    const server = opens(
      await rawServer(({ socket }) => {
        const names = Array.from({ length: 90 }, (_, index) => [`field_${call}_${index}`, 1]);
        call++;
        socket.write(formatResponse(JSON.stringify({ ...paid, ...Object.fromEntries(names) })));
      }),
    );
    const { drifts, hooks } = collected();
    const platform = opens(clientOn(engine, server.url, { hooks }));
    for (let count = 0; count < 15; count++) await platform.payments.create(pix);
    expect(drifts).toHaveLength(15 * 90);
  });
});
