/**
 * Runs a sandbox in a page or a Worker, without Node and without the network. The runner compares the result
 * with `expectedFacts`.
 */
import { PaymentPlatform, responseOf } from 'payment-platform';
import { createSandbox, type Sandbox } from 'payment-platform/sandbox';
import { noDuplicateCharges, samples, signedNotification } from 'payment-platform/testing';
import { createReceiver } from 'payment-platform/webhooks';

const secret = 'a-secret-of-16-characters-or-more';
const now = '2026-01-01T00:00:00.000Z';

export type Facts = Readonly<Record<string, unknown>>;

/** Each story is independent. */
const stories = {
  'a paid Pix reaches the connected receiver': async () => {
    const { sandbox, platform } = start();
    const handled: string[] = [];
    const receiver = createReceiver({
      secret,
      now: () => sandbox.clock.now(),
      on: { 'transaction.paid': ({ externalReference }) => void handled.push(`${externalReference}`) },
    });
    sandbox.webhooks.connect(receiver.fetch, { secret });
    const { id } = await platform.payments.create(samples.payments.pix({ externalId: 'order-1' }));
    sandbox.control.payments.pay(id);
    await sandbox.webhooks.idle();
    const statuses = sandbox.webhooks.deliveries.map(({ event, status }) => `${event} ${status}`);
    return { handled, paid: statuses.includes('transaction.paid 200') };
  },
  'a forged delivery is refused': async () => {
    const receiver = createReceiver({ secret, on: { 'transaction.paid': () => undefined } });
    const sent = [signedNotification('transaction.paid', { secret }), signedNotification('transaction.paid')];
    const responses = await Promise.all(sent.map((one) => receiver.fetch(one.toRequest())));
    return responses.map(({ status }) => status);
  },
  'a lost response makes one charge': async () => {
    const { sandbox, platform } = start();
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    const { attempts } = responseOf(await platform.payments.create(samples.payments.card()));
    noDuplicateCharges(sandbox);
    return { attempts, charges: sandbox.ledger.charges.length, requests: sandbox.journal.requests.length };
  },
  'the clock expires a Pix': async () => {
    const { sandbox, platform } = start();
    const { id } = await platform.payments.create(samples.payments.pix());
    await sandbox.clock.advance('2d');
    return sandbox.control.payments.retrieve(id).status;
  },
  'a boleto is a PDF': async () => {
    const { platform } = start();
    const { id } = await platform.payments.create(samples.payments.boleto());
    const { contentType, bytes } = await platform.payments.boleto(id);
    return [contentType, new TextDecoder().decode(bytes.subarray(0, 5))];
  },
  'documents arrive, with an access token': async () => {
    const { sandbox } = start();
    const platform = new PaymentPlatform({ ...sandbox.clientOptions(), auth: 'oauth' });
    const { registration_id } = await platform.onboarding.submitPj({
      ...samples.onboarding.pj(),
      selfie: Uint8Array.of(0xff, 0xd8, 0xff),
    });
    const { selfie } = sandbox.control.onboarding.documents(registration_id);
    return { bytes: Array.from(selfie?.bytes ?? []), tokens: sandbox.control.oauth.tokens.length };
  },
  'a certificate is issued and activated': async () => {
    const { sandbox, platform } = start();
    const { id, signingRequestPem } = await sandbox.control.certificates.create();
    const { certificate } = await sandbox.control.certificates.issue(signingRequestPem ?? '');
    const kept = createSandbox({ state: sandbox.save() });
    const statuses = [
      await platform.certificates.activate(id, { certificate }),
      await new PaymentPlatform(kept.clientOptions()).certificates.activate(id, { certificate }),
    ];
    const elsewhere = start();
    const other = await elsewhere.sandbox.control.certificates.create();
    await elsewhere.platform.certificates.activate(other.id, { certificate }).catch(() => undefined);
    const { response } = elsewhere.sandbox.journal.requests.at(-1) ?? {};
    const { issues } = (response as { error: { issues: object[] } }).error;
    return [statuses.map(({ status, notBefore }) => `${status} from ${notBefore}`), issues];
  },
  'a state is saved and goes on': async () => {
    const { sandbox, platform } = start();
    await platform.payments.create(samples.payments.pix());
    return createSandbox({ state: JSON.parse(JSON.stringify(sandbox.save())) }).ledger.charges.length;
  },
  'the control API responds': async () => {
    const { sandbox } = start();
    const { baseUrl } = sandbox.clientOptions();
    const response = await sandbox.fetch(`${baseUrl}/_sandbox/clock`);
    return [response.status, ((await response.json()) as { now: string }).now];
  },
  'what needs Node is refused with a sentence': async () => {
    const { sandbox } = start();
    const page = await sandbox.fetch(`${sandbox.clientOptions().baseUrl}/_sandbox/`);
    return [
      await catchMessage(() => sandbox.listen()),
      await catchMessage(() => createSandbox({ stateFile: 'state.ndjson' })),
      await catchMessage(async () => Promise.reject(((await page.json()) as { error: Error }).error)),
      await catchMessage(() => sandbox.clock.advance('soon')),
    ];
  },
};

export const expectedFacts: Facts = {
  'a paid Pix reaches the connected receiver': { handled: ['order-1'], paid: true },
  'a forged delivery is refused': [200, 400],
  'a lost response makes one charge': { attempts: 2, charges: 1, requests: 2 },
  'the clock expires a Pix': 'expired',
  'a boleto is a PDF': ['application/pdf', '%PDF-'],
  'documents arrive, with an access token': { bytes: [0xff, 0xd8, 0xff], tokens: 1 },
  'a certificate is issued and activated': [
    [`active from ${now}`, `active from ${now}`],
    [
      { path: 'certificate', message: "carries another public key than this record's signing request" },
      { path: 'certificate', message: "was not issued by the sandbox's authority" },
    ],
  ],
  'a state is saved and goes on': 1,
  'the control API responds': [200, now],
  'what needs Node is refused with a sentence': [
    'listen: browsers and Workers cannot open a port. Pass sandbox.clientOptions() to the client, or call listen in Node.',
    'createSandbox: a browser and a Worker have no files for stateFile. Keep the result of save(), and give it as state.',
    'Only a sandbox in Node has a page: sandbox.listen() serves it there.',
    "'soon' is not a duration: milliseconds, or a string such as '500ms', '30s', '15m', '1h' or '2d'.",
  ],
};

export async function sandboxJourney(): Promise<Facts> {
  const facts: Record<string, unknown> = {};
  for (const [name, story] of Object.entries(stories)) facts[name] = await story();
  return facts;
}

function start(): { sandbox: Sandbox; platform: PaymentPlatform } {
  const sandbox = createSandbox({ now });
  return { sandbox, platform: new PaymentPlatform(sandbox.clientOptions()) };
}

async function catchMessage(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'nothing was thrown';
  } catch (error) {
    return (error as Error).message;
  }
}
