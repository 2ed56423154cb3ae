import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxServer,
  testCards,
} from '../../index.js';
import {
  boleto,
  call,
  keyNo,
  naturalPerson,
  onboard,
  openCard,
  pay,
  pix,
  startOfYear,
  subAccount,
} from '../support.js';

/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export interface Seeded {
  readonly sandbox: Sandbox;
  readonly server: SandboxServer;
  /** The URL hashes of all views. */
  readonly views: Readonly<Record<string, string>>;
}

/** Creates a sandbox with records in every view. Without `now`, its clock runs. */
export async function seeded(options: Pick<SandboxOptions, 'now'> = { now: startOfYear }): Promise<Seeded> {
  const sandbox = createSandbox({ ...options, features: { split: true } });
  const server = await sandbox.listen();
  let responses = 0;
  const shop = sandbox.webhooks.connect(
    () => {
      responses += 1;
      return responses === 2
        ? new Response('{"error":"the queue is full"}', { status: 503 })
        : new Response('ok');
    },
    { events: ['transaction.paid', 'transaction.waiting_payment'], secret: 'a webhook secret of a test' },
  );
  const readId = async (pending: ReturnType<typeof pay>) => String((await pending).body.id);
  const account = await subAccount(server, '11144477735', keyNo(1));
  await subAccount(server, '52998224725', keyNo(2));
  const documents = {
    selfie: new File([png], 'selfie.png', { type: 'image/png' }),
    cnhCompleta: new File(['%PDF-1.4'], 'cnh.pdf', { type: 'application/pdf' }),
  };
  const registered = await onboard(server, { ...naturalPerson, ...documents }, keyNo(3));
  await call(server, '/v1/submerchants/withdrawals', {
    body: { internalId: account, amount: 500 },
    key: keyNo(4),
  });
  await call(server, '/v1/payment-method-domains', { body: { domainName: 'shop.example' } });
  await sandbox.control.certificates.create();
  await pay(server, openCard(testCards.unknown), keyNo(5));
  await pay(server, openCard(testCards.refused));
  const split = openCard(testCards.approved, {
    amount: 10_000,
    subMerchant: { document: { number: '11144477735' } },
    split: [{ document: { number: '52998224725' }, percentage: 33.33 }],
  });
  const [ofSplit, ofBoleto, ofPix] = [
    await readId(pay(server, split)),
    await readId(pay(server, boleto())),
    await readId(pay(server, pix(), keyNo(6))),
  ];
  const ofStory = await story({ sandbox, server });
  sandbox.control.webhooks.setStatus(shop.id, 'inactive');
  // Nothing listens at this URL, so the first attempt fails, and the sandbox retries the delivery later.
  sandbox.webhooks.register({ url: 'http://127.0.0.1:9/hook', events: ['transaction.paid'] });
  await pay(server, openCard(testCards.approved, { externalId: 'pedido-1043' }));
  await sandbox.webhooks.idle();
  await pay(server, pix({ amount: -1, boleto: { dueDate: 'soon' } }));
  sandbox.faults.add({ fault: { status: 503 }, operation: 'payments.create', nth: 100 });
  const rejected = sandbox.journal.requests.find(({ status }) => status === 400)?.number;
  return {
    sandbox,
    server,
    views: {
      start: '#/start',
      payments: '#/payments',
      pix: `#/payments/${ofPix}`,
      boleto: `#/payments/${ofBoleto}`,
      split: `#/payments/${ofSplit}`,
      story: `#/payments/${ofStory}`,
      timeline: '#/timeline',
      sellers: '#/sellers',
      registration: `#/sellers/${registered.body.registration_id}`,
      wallets: '#/wallets',
      webhooks: '#/webhooks',
      deliveries: `#/webhooks?payment=${ofStory}`,
      failed: `#/webhooks/${sandbox.webhooks.list({ state: 'failed' })[0]?.id}`,
      resent: `#/webhooks/${sandbox.webhooks.list({ payment: ofStory, event: 'transaction.paid' })[0]?.id}`,
      journal: '#/journal',
      request: `#/journal/${rejected}`,
      faults: '#/faults',
      defaults: '#/defaults',
      nothing: '#/nothing',
    },
  };
}

/**
 * Shows the purpose of idempotency. A response is lost, the retry charges nothing, and a webhook needs two
 * attempts.
 */
async function story({ sandbox, server }: Pick<Seeded, 'sandbox' | 'server'>): Promise<string> {
  const order = pix({ amount: 25_990, externalId: 'pedido-1042' });
  sandbox.faults.add({ fault: 'reset', phase: 'after-commit', operation: 'payments.create' });
  await pay(server, order, keyNo(7)).catch(() => undefined);
  sandbox.faults.add({ fault: { status: 503 }, operation: 'payments.create' });
  await pay(server, order, keyNo(7));
  const id = String((await pay(server, order, keyNo(7))).body.id);
  await sandbox.clock.advance('5m');
  sandbox.control.payments.pay(id);
  await sandbox.clock.advance('30s');
  return id;
}
