import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPaymentPlatformError, PaymentPlatform, responseOf, ValidationError } from 'payment-platform';
import { createSandbox, testCards, testCardTokens } from 'payment-platform/sandbox';
import { setUpApplePay } from './apple-pay.js';
import { Narrator, reais } from './narrator.js';
import { onboardSeller } from './onboarding.js';
import { Shop } from './shop.js';

const narrator = new Narrator();
const secret = 'whsec_demo_0123456789abcdef';
const shop = new Shop(secret);

// A sandbox on a local port, a client that calls it over HTTP, and a shop that receives its notifications.
const sandbox = createSandbox();
const server = await sandbox.listen();
const platform = new PaymentPlatform({
  ...server.clientOptions(),
  hooks: {
    onRetry: ({ reason, attempt }) =>
      narrator.say(`Attempt ${attempt}: ${reason}. The SDK retries with the same key.`),
  },
});

const customer = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  document: { number: '12345678909', type: 'cpf' },
};
const items = [{ title: 'Café especial 500 g', quantity: 1, unitPrice: 4990 }];
const order = (externalId: string) => ({ externalId, amount: 4990, items });
const card = {
  number: testCards.approved,
  cvv: '123',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2030,
};

console.log(`The sandbox listens on ${server.url}; the client uses the ${platform.engine} engine.`);

try {
  await narrator.chapter('Create a Pix, pay it, receive the webhooks', async () => {
    const webhook_url = await shop.open();
    const endpoint = await platform.webhooks.create({ webhook_url, events: [], hmac_secret: secret });
    narrator.show('webhook endpoint', `${endpoint.endpoint} (signed: ${endpoint.hmac_configured})`);

    const payment = await platform.payments.create(
      { ...order('order-1'), paymentMethod: 'pix', customer },
      { idempotencyKey: 'order-1' },
    );
    narrator.show('payment', `${payment.id}, ${reais(payment.amount)}, ${payment.status}`);
    narrator.show('idempotency key', responseOf(payment).idempotencyKey);
    sandbox.control.payments.pay(payment.id);
    const paidNow = { id: payment.id, status: 'paid' };
    await shop.notified({ event: 'transaction.paid', ...paidNow });
    await shop.notified({ event: 'transaction.status.updated', ...paidNow });
    const paid = shop.received
      .filter((event) => event.id === payment.id && event.status === 'paid')
      .map(({ event }) => event);
    narrator.show('notifications', paid.join(' and '));
    narrator.check(
      'Both notifications have a valid signature.',
      paid.length === 2 && shop.rejected.length === 0,
    );

    const forged = await fetch(webhook_url, {
      method: 'POST',
      body: JSON.stringify({ event: 'transaction.paid', id: 'never-paid' }),
      headers: {
        'x-service-timestamp': String(Math.floor(Date.now() / 1000)),
        'x-service-signature': '0'.repeat(64),
      },
    });
    narrator.check(
      `A forged notification is rejected (${shop.rejected.at(-1)}).`,
      forged.status === 400 && shop.rejected.at(-1) === 'signature-mismatch',
    );
  });

  await narrator.chapter('Charge a card, then charge it again with an upsell token', async () => {
    const sale = await platform.payments.create(
      {
        ...order('order-2'),
        paymentMethod: 'credit_card',
        customer,
        card: { ...card, installments: 3 },
      },
      { idempotencyKey: 'order-2' },
    );
    narrator.show(
      'sale',
      `${reais(sale.amount)} on ${sale.card?.brand} ending in ${sale.card?.last4}, ${sale.status}`,
    );
    narrator.check(
      'The approved payment has an upsell token.',
      sale.status === 'paid' && sale.upsell !== undefined,
    );
    const upsellToken = sale.upsell?.token ?? '';
    const upsell = await platform.payments.create(
      {
        ...order('order-2b'),
        amount: 1990,
        paymentMethod: 'credit_card',
        card: { upsellToken },
      },
      { idempotencyKey: 'order-2b' },
    );
    narrator.show('upsell', `${reais(upsell.amount)} on the same card, ${upsell.status}`);
    narrator.check('The token replaces PAN, CVV and customer.', upsell.status === 'paid');
    const again = await catchError(
      platform.payments.create(
        { ...order('order-2c'), paymentMethod: 'credit_card', card: { upsellToken } },
        { idempotencyKey: 'order-2c' },
      ),
    );
    narrator.check('The token works only once.', again?.name === 'BadRequestError');
    const refused = await platform.payments.create(
      {
        ...order('order-2d'),
        paymentMethod: 'credit_card',
        customer,
        card: { ...card, number: testCards.refused },
      },
      { idempotencyKey: 'order-2d' },
    );
    narrator.check('A declined card is a result, not an exception.', refused.status === 'refused');
  });

  await narrator.chapter('Create a boleto and save its PDF', async () => {
    const payment = await platform.payments.create(
      {
        ...order('order-3'),
        paymentMethod: 'boleto',
        customer,
      },
      { idempotencyKey: 'order-3' },
    );
    const boleto = await platform.payments.boleto(payment.id);
    const path = join(await mkdtemp(join(tmpdir(), 'payment-platform-')), 'boleto.pdf');
    await writeFile(path, boleto.bytes);
    narrator.show('saved', `${path} (${boleto.contentType}, ${boleto.bytes.length} bytes)`);
    await shop.notified({ event: 'transaction.waiting_payment', id: payment.id, status: 'waiting_payment' });
    const notified = shop.received.find((event) => event.id === payment.id);
    narrator.show(
      'digitable line',
      (notified?.boleto as { digitableLine?: string } | undefined)?.digitableLine,
    );
    narrator.check(
      'The file begins as a PDF.',
      Buffer.from(boleto.bytes).subarray(0, 5).toString() === '%PDF-',
    );
  });

  await narrator.chapter('Charge a vault card', async () => {
    const payment = await platform.payments.create(
      {
        ...order('order-4'),
        paymentMethod: 'credit_card',
        card: { cardTokenId: testCardTokens.approved },
      },
      { idempotencyKey: 'order-4' },
    );
    narrator.show('payment', `${payment.id}, ${payment.status}`);
    narrator.check('The payment is paid, without PAN and CVV in the request.', payment.status === 'paid');
  });

  await narrator.chapter('Lose a response', async () => {
    narrator.say('The platform creates the payment, and the connection breaks before the response.');
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    const payment = await platform.payments.create(
      {
        ...order('order-5'),
        paymentMethod: 'credit_card',
        customer,
        card,
      },
      { idempotencyKey: 'order-5' },
    );
    const { attempts, idempotencyKey = '' } = responseOf(payment);
    narrator.show('recovered', `${payment.id}, ${payment.status}, after ${attempts} requests`);
    const charges = sandbox.ledger.charges.filter(({ externalReference }) => externalReference === 'order-5');
    for (const charge of charges)
      narrator.show(
        "platform's ledger",
        `${charge.paymentId} ${reais(charge.amount)} key ${charge.idempotencyKey}`,
      );
    narrator.check(
      'Two requests made one charge.',
      attempts === 2 && charges.length === 1 && charges[0]?.paymentId === payment.id,
    );
    narrator.check(
      'The ledger has the charge under the key that was sent.',
      sandbox.ledger.chargesFor(idempotencyKey).length === 1,
    );

    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    const error = await catchError(
      platform.payments.create(
        { ...order('order-6'), paymentMethod: 'pix', customer },
        { idempotencyKey: null },
      ),
    );
    narrator.show('without a key', `${error?.name}, outcome ${error?.outcome}`);
    narrator.check(
      'Without a key, the SDK does not retry.',
      error?.outcome === 'unknown' && error.attempts === 1,
    );
  });

  await narrator.chapter('Onboard a seller and split a sale', () =>
    onboardSeller(platform, sandbox, narrator),
  );

  await narrator.chapter('Set up Apple Pay', () => setUpApplePay(platform, sandbox, narrator));

  await narrator.chapter('Share one access token among 100 calls', async () => {
    const marketplace = new PaymentPlatform({ ...server.clientOptions(), auth: 'oauth' });
    const tokens = () =>
      sandbox.journal.requests.filter(({ operation }) => operation === 'oauth.token').length;
    await Promise.all(Array.from({ length: 100 }, () => marketplace.webhooks.list()));
    narrator.check('100 simultaneous calls made one token request.', tokens() === 1);
    sandbox.control.oauth.revokeTokens();
    await Promise.all(Array.from({ length: 100 }, () => marketplace.webhooks.list()));
    narrator.check(
      'After the token is revoked, one more token request is made, and every call is retried once.',
      tokens() === 2,
    );
    marketplace.close();
  });

  await narrator.chapter('Find a mistake before anything is sent', async () => {
    const requests = sandbox.journal.requests.length;
    const wrong = { amount: 50, paymentMethod: 'pix', items: [], wallet: {} };
    const error = await catchError(platform.payments.create(wrong as never, { idempotencyKey: 'order-9' }));
    const issues = error instanceof ValidationError ? error.issues : [];
    narrator.show('error', error?.name);
    for (const { path, message } of issues) narrator.say(`   ${path}: ${message}`);
    narrator.check('One error lists all problems.', issues.length === 4);
    narrator.check('Nothing was sent.', sandbox.journal.requests.length === requests);
  });
} finally {
  platform.close();
  shop.close();
  await sandbox.close();
}

process.exitCode = narrator.end();

/** Returns the error of a call that must fail. */
async function catchError(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    if (isPaymentPlatformError(error)) return error;
    throw error;
  }
  return undefined;
}
