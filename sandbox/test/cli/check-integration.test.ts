import { once } from 'node:events';
import { PaymentPlatform } from 'payment-platform';
import { samples } from 'payment-platform/testing';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { createSandbox } from '../../index.js';
import { customer, type Mistake, price, shopSecret, startShop } from './shop.js';
import { builtCommand, Running, run } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

interface Journey {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly problems: readonly string[];
}

const orders = {
  pix: 'POST /orders {"id":"{order}","method":"pix"}',
  card: 'POST /orders {"id":"{order}","method":"credit_card","token":"{cardToken}"}',
  boleto: 'POST /orders {"id":"{order}","method":"boleto"}',
};

const methodArgs = Object.entries(orders).flatMap(([method, request]) => [`--${method}`, request]);

/** Starts a sandbox and a shop, and runs the check. */
async function check(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  mistake: Mistake | undefined,
  args: readonly string[] = methodArgs,
  format: readonly string[] = ['--json'],
) {
  const sandbox = createSandbox({ responses: { pixCode: 'pix.qrCode' } });
  onTestFinished(() => sandbox.close());
  const options = (await sandbox.listen()).clientOptions();
  const shop = await startShop(options, mistake);
  onTestFinished(() => shop.close());
  const all = [
    'check-integration',
    '--shop',
    shop.url,
    '--amount',
    String(price),
    '--url',
    String(options.baseUrl),
    ...args,
  ];
  const ended = await run(command, [...all, ...format], {
    env: { PAYMENT_PLATFORM_WEBHOOK_SECRET: shopSecret },
  });
  expect(ended.stdout + ended.stderr).not.toContain(customer);
  return { ...ended, sandbox, shop };
}

const read = (stdout: string) => JSON.parse(stdout) as { ok: boolean; journeys: Journey[] };

describe('payment-platform check-integration', () => {
  test('finds no problem in a right shop, and leaves no endpoint and no fault behind', async (context) => {
    const { code, stdout, sandbox } = await check(context, undefined);
    const { ok, journeys } = read(stdout);
    expect(journeys.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect({ ok, code }).toEqual({ ok: true, code: 0 });
    expect(journeys).toHaveLength(15);
    expect(sandbox.webhooks.endpoints).toEqual([]);
    expect(sandbox.faults.pending).toEqual([]);
  });

  const open = ['paid', 'forged', 'unknown-event', 'expired'];
  const mistakes: [Mistake, RegExp, string[]][] = [
    [
      'a new key for each attempt',
      /One order made 2 payments/,
      ['lost-response', 'gateway-timeout', 'outage', 'double-click'],
    ],
    ['a new key after a 504', /One order made 2 payments/, ['gateway-timeout']],
    ['two requests with different keys for a double click', /made 2 payments/, ['outage', 'double-click']],
    ['a repeated order is an error', /responded 409 .* to an order whose payment exists/, ['outage']],
    ['paid when ordered', /The order is paid, although nobody has paid it/, open],
    ['a declined card counts as paid', /although the issuer declined the card/, [...open, 'declined']],
    ['no signature check', /responded 200 to a delivery without a signature/, ['forged']],
    ['no check of the time', /200 to a delivery that was signed ten minutes ago/, ['forged']],
    ['accepts a part of the signature', /200 to a delivery with an empty signature/, ['forged']],
    ['the signature of the parsed body', /Verify the raw body/, ['exact-body', 'forged']],
    ['remembers events before the signature is checked', /no effect after forged ones/, ['forged']],
    ['acknowledges before the work', /acknowledges a webhook before the order is paid/, ['paid']],
    ['handles an event twice', /shipments \+1/, ['duplicate', 'concurrent-duplicates']],
    ['checks, then acts', /shipments \+[2-5]/, ['concurrent-duplicates']],
    [
      'any event pays',
      /its only event/,
      ['paid', 'unknown-event', 'refund', 'late-paid', 'expired', 'declined'],
    ],
    ['rejects unknown events', /responded 500 .* transaction.reviewed/, ['unknown-event']],
    ['ignores refunds', /still paid after transaction.refunded/, ['refund', 'late-paid']],
    ['a late event pays again', /A late transaction.paid/, ['refund', 'late-paid']],
    ['forgets a refund before the payment', /arrived before its transaction.paid/, ['late-paid']],
    ['shows the code of an expired payment', /still shows the Pix code/, ['expired']],
    ['finds orders by the id in the response', /before it had the response to its order/, ['early-event']],
  ];
  test.concurrent.for(mistakes)('finds the mistake: %s', async ([mistake, problem, failed], context) => {
    const { code, stdout } = await check(context, mistake);
    const found = read(stdout).journeys.filter(({ status }) => status === 'failed');
    expect(found.map(({ name }) => name).sort()).toEqual([...failed].sort());
    expect(found.flatMap(({ problems }) => problems).join('\n')).toMatch(problem);
    expect(code).toBe(1);
  });

  test.concurrent.for([
    ['amounts in reais', /the amount 199, not 19900. Amounts are integers in cents/],
    ['one key for all orders', /responded 502 .* to an order/],
  ] as [Mistake, RegExp][])(
    'finds a mistake that affects every order: %s',
    async ([mistake, problem], context) => {
      const { journeys } = read((await check(context, mistake, ['--pix', orders.pix])).stdout);
      const found = journeys.filter(({ status }) => status === 'failed');
      expect(found.length).toBeGreaterThan(6);
      expect(found.flatMap(({ problems }) => problems).join('\n')).toMatch(problem);
    },
  );

  test.concurrent('accepts a shop with a queue that says so', async (context) => {
    const args = ['--pix', orders.pix, '--queued'];
    const { code, stdout } = await check(context, 'acknowledges before the work', args);
    expect(read(stdout).journeys.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(code).toBe(0);
  });

  test.concurrent('skips journeys without a request, and all journeys after an order without a payment', async (context) => {
    const withoutIds = 'POST /orders {"id":"order-1","method":"boleto"}';
    const { journeys } = read((await check(context, undefined, ['--boleto', withoutIds])).stdout);
    const reasons = Object.fromEntries(
      journeys.map(({ name, status, message }) => [name, status === 'skipped' && message]),
    );
    expect(reasons).toMatchObject({
      paid: false,
      declined: 'it needs an order with card',
      outage: 'it needs {order} in the order, to repeat it',
    });
    const wrong = 'POST /orders {"id":"{order}","method":"cash"}';
    const stuck = read((await check(context, undefined, ['--pix', wrong])).stdout);
    expect(stuck.journeys.map(({ status }) => status)).toEqual(['failed', ...Array(14).fill('skipped')]);
    expect(stuck.journeys[0]?.problems).toEqual([
      'The shop responded 502 (application/json, 55 bytes) to an order.',
    ]);
    expect(stuck.journeys[1]?.message).toBe('the first order made no payment');
  });

  test('prints each problem with the page that says how to do it', async (context) => {
    const { stdout } = await check(context, 'ignores refunds', ['--pix', orders.pix], []);
    expect(stdout).toContain('✓ ok      paid ');
    expect(stdout).toMatch(/✗ failed {2}refund .*\n {10}The order is still paid .*\n {10}→ docs\/refunds.md/);
    expect(stdout).toMatch(/– skipped declined .*\n/);
    expect(stdout).toMatch(/\n12 ok, 2 failed, 1 skipped\n$/);
  });

  /** Starts a sandbox with an endpoint, a right shop, and a check that has finished its first journey. */
  async function startCheck({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
    const sandbox = createSandbox({
      endpoints: [{ url: 'http://127.0.0.1:9/webhooks', secret: shopSecret }],
    });
    onTestFinished(() => sandbox.close());
    const options = (await sandbox.listen()).clientOptions();
    const shop = await startShop(options, undefined);
    onTestFinished(() => shop.close());
    const args = ['check-integration', '--shop', shop.url, '--amount', String(price), '--pix', orders.pix];
    const all = [...args, '--url', String(options.baseUrl)];
    const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: shopSecret };
    const first = new Running(command, all, env);
    await first.until(/✓/);
    const statuses = () => sandbox.webhooks.endpoints.map(({ status }) => status);
    expect(statuses()).toEqual(['inactive', 'active']);
    const end = async (signal: NodeJS.Signals) => {
      const closed = once(first.child, 'close');
      first.child.kill(signal);
      return closed;
    };
    return { end, statuses, again: () => run(command, all, { env }) };
  }

  test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'activates the paused endpoints again if it is interrupted by %s',
    async (signal, context) => {
      const { end, statuses } = await startCheck(context);
      expect(await end(signal)).toEqual([2, null]);
      expect(statuses()).toEqual(['active']);
    },
  );

  test('refuses to run while another check is running, and repairs the endpoints of a killed one', async (context) => {
    const { end, statuses, again } = await startCheck(context);
    expect(await again()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Another check uses this sandbox. Wait for its end.'),
    });
    expect(statuses()).toEqual(['inactive', 'active']);
    await end('SIGKILL');
    expect((await again()).code).toBe(0);
    expect(statuses()).toEqual(['active']);
  });

  test('leaves the payments of another merchant alone', async (context) => {
    const sandbox = createSandbox();
    context.onTestFinished(() => sandbox.close());
    const options = (await sandbox.listen()).clientOptions();
    const shop = await startShop(options, undefined);
    context.onTestFinished(() => shop.close());
    const neighbour = new PaymentPlatform({
      ...sandbox.addMerchant().clientOptions(),
      baseUrl: options.baseUrl,
      maxRetries: 0,
    });
    const pays = setInterval(
      () => void neighbour.payments.create(samples.payments.pix({ amount: 4_321 })).catch(() => {}),
      100,
    );
    context.onTestFinished(() => clearInterval(pays));
    const args = ['--shop', shop.url, '--amount', String(price), '--boleto', orders.boleto];
    const { stdout } = await run(
      command,
      ['check-integration', ...args, '--url', String(options.baseUrl), '--json'],
      { env: { PAYMENT_PLATFORM_WEBHOOK_SECRET: shopSecret } },
    );
    expect(read(stdout).journeys.filter(({ status }) => status === 'failed')).toEqual([]);
    const theirs = sandbox.ledger.charges.filter(({ amount }) => amount === 4_321);
    expect(theirs.length).toBeGreaterThan(5);
    expect(theirs.filter(({ status }) => status !== 'waiting_payment')).toEqual([]);
  });

  test.for([
    [['--pix', 'orders'], /--pix must be a method, a path and JSON, such as POST \/orders/],
    [['--pix', 'POST /orders {order}'], /--pix has a body that is not JSON/],
    [[], /--pix, card or boleto must be the request of an order/],
    [['--pix', 'POST /o', '--paid', 'is paid'], /--paid must be such as status=paid or paidAt/],
    [['--pix', 'POST /o', '--webhook', 'hooks'], /--webhook must be a path such as \/webhooks/],
    [['--pix', 'POST /o', '--header', 'cookie'], /--header must be 'name: value'/],
  ] as [string[], RegExp][])('explains the wrong arguments %j', async ([args, message], context) => {
    const { code, stderr } = await check(context, undefined, args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
