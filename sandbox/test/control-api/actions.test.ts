import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../../src/version.js';
import { actions } from '../../control-api/actions/all.js';
import { createSandbox, type Sandbox, type SandboxServer, scenarios, testCards } from '../../index.js';
import {
  boleto,
  call,
  keyNo,
  onboard,
  openCard,
  pay,
  pix,
  type Reply,
  startOfYear,
  startReceiver,
  subAccount,
  unknownId,
} from '../support.js';
import { type ControlRequest, createControlRequest, departures } from './support.js';

/** One sandbox for the whole file, which counts the actions. Each test uses only records that it created. */
let sandbox: Sandbox;
let server: SandboxServer;
let plain: ControlRequest;
const called = new Set<string>();

beforeAll(async () => {
  sandbox = createSandbox({ now: startOfYear, rateLimits: { submerchants: Number.POSITIVE_INFINITY } });
  server = await sandbox.listen();
  plain = createControlRequest(server);
});
afterAll(() => sandbox.close());

const toRoutePattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Sends a request, and checks a success against its action's description. */
const requestControl: ControlRequest = async (request, body, headers) => {
  const [method = '', target = ''] = request.split(' ');
  const path = target.replace(/\?.*/, '');
  const known = actions.filter(
    (action) => action.method === method && toRoutePattern(action.path).test(path),
  );
  const action = known.find((candidate) => candidate.path === path) ?? known[0];
  if (action === undefined) throw new Error(`No action has ${request}.`);
  const reply = await plain(request, body, headers);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  expect(reply.headers['payment-platform-sandbox']).toBe(version);
  if (reply.status >= 400) return reply;
  called.add(action.id);
  const { schema, types } = action.response;
  if (schema !== undefined) expect(departures(schema, reply.body, schemas)).toEqual([]);
  else if (types === undefined) expect(reply).toMatchObject({ status: 204, text: '' });
  else expect(types).toContain(reply.headers['content-type']);
  return reply;
};

let schemas: Record<string, unknown>;
beforeAll(async () => {
  schemas = (await plain('GET /openapi.json')).body.components.schemas;
});

const readId = (reply: Pick<Reply, 'body'>) => String(reply.body.id);

describe('the payment actions of the control API', () => {
  test.each([
    ['their id', (id: string) => id.slice(0, 13)],
    ['their external id', () => 'pedido-77'],
    ['their idempotency key', () => keyNo(77)],
    ['the name of the customer, without accents', () => 'joao da sil'],
    ['the email of the customer', () => 'JOAO@'],
    ['the document of the customer', () => '111.444.777-35'],
    ['the amount in cents', () => '771234'],
    ['the amount in Portuguese', () => 'R$ 7.712,34'],
    ['the amount in English', () => '7712.34'],
  ])('find payments by %s', async (_, searchFor) => {
    const customer = {
      name: 'João da Silva',
      email: 'joao@example.com',
      document: { number: '11144477735', type: 'cpf' },
    };
    const body = pix({ externalId: 'pedido-77', amount: 771_234, customer });
    const id = readId(await pay(server, body, keyNo(77)));
    await pay(server, pix());
    const query = new URLSearchParams({ search: searchFor(id) });
    const { data } = (await requestControl(`GET /payments?${query}`)).body;
    expect(data.map((payment: { id: string }) => payment.id)).toEqual([id]);
  });

  test('list payments in creation order, filtered by a limit, a status or a start position', async () => {
    const [first, second, third] = [
      readId(await pay(server, pix())),
      readId(await pay(server, openCard())),
      readId(await pay(server, boleto())),
    ];
    const ids = async (query: string) =>
      (await requestControl(`GET /payments?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('limit=3')).toEqual([first, second, third]);
    expect(await ids(`limit=1&before=${third}`)).toEqual([second]);
    expect(await ids('limit=1&status=paid')).toEqual([second]);
    expect(await ids('status=expired')).toEqual([]);
    expect((await plain('GET /payments?status=nothing')).status).toBe(400);
    expect((await plain(`GET /payments?before=${unknownId}`)).status).toBe(404);
    expect((await plain('GET /payments?limit=1001')).status).toBe(400);
  });

  test('return a payment’s history, Pix code, boleto, idempotency key and possible actions', async () => {
    const paid = await pay(server, pix(), keyNo(11));
    const { body } = await requestControl(`GET /payments/${paid.body.id}`);
    expect(body).toMatchObject({
      idempotencyKey: keyNo(11),
      history: [{ status: 'waiting_payment' }],
      transitions: ['pay', 'refuse', 'cancel', 'expire'],
      pix: { copyAndPaste: expect.stringMatching(/^000201/) },
    });
  });

  test.each([
    ['pay', pix(), 'paid'],
    ['refuse', openCard(testCards.inAnalysis), 'refused'],
    ['cancel', pix(), 'cancelled'],
    ['expire', pix(), 'expired'],
    ['refund', openCard(), 'refunded'],
    ['chargeback', openCard(), 'chargedback'],
  ])(
    'perform the action %s once, and reject a second attempt with the actions that are possible',
    async (name, order, status) => {
      const id = readId(await pay(server, order));
      expect((await requestControl(`POST /payments/${id}/${name}`)).body).toMatchObject({ id, status });
      const again = await requestControl(`POST /payments/${id}/${name}`);
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'illegal_transition', status } } });
      expect(again.body.error.legal).toEqual(status === 'paid' ? ['refund', 'chargeback'] : []);
      expect((await requestControl(`POST /payments/${unknownId}/${name}`)).status).toBe(404);
    },
  );

  test('return a PDF only for a boleto', async () => {
    const id = readId(await pay(server, boleto()));
    const pdf = await requestControl(`GET /payments/${id}/boleto.pdf`);
    expect(pdf.text).toMatch(/^%PDF-/);
    const other = readId(await pay(server, pix()));
    expect((await requestControl(`GET /payments/${other}/boleto.pdf`)).status).toBe(404);
  });

  test.each(['pix', 'boleto', 'credit_card'])('create a sample payment: %s', async (paymentMethod) => {
    const { id } = (await requestControl('POST /payments/sample', { paymentMethod })).body;
    expect(sandbox.control.payments.retrieve(id)).toMatchObject({ paymentMethod, amount: 1_990 });
    expect(sandbox.journal.requests.at(-1)).toMatchObject({ operation: 'payments.create', status: 201 });
  });

  test.each([
    [{ fault: 'reset' }, 'broke the connection'],
    [{ fault: { status: 503 } }, 'got a 503'],
    [{ fault: 'invalid-json' }, 'got a 200'],
  ] as const)('create no sample payment if a fault hits its request: %o', async (fault, message) => {
    await requestControl('POST /faults', fault);
    const rejected = await requestControl('POST /payments/sample');
    expect([rejected.status, rejected.body.error.message]).toEqual([409, expect.stringContaining(message)]);
  });

  test('list the idempotency key of a payment whose outcome is unknown, and resolve that outcome only once', async () => {
    await pay(server, openCard(testCards.unknown), keyNo(12));
    const { body } = await requestControl('GET /payments/unresolved');
    expect(body.data).toEqual([
      expect.objectContaining({ idempotencyKey: keyNo(12), amount: 1_990, paymentMethod: 'credit_card' }),
    ]);
    const resolution = { idempotencyKey: keyNo(12), resolution: 'created' };
    await requestControl('POST /payments/resolve', resolution);
    expect((await requestControl('GET /payments/unresolved')).body.data).toEqual([]);
    expect((await requestControl('POST /payments/resolve', resolution)).status).toBe(409);
    expect((await requestControl(`GET /charges?idempotencyKey=${keyNo(12)}`)).body.data).toHaveLength(1);
    expect((await requestControl('GET /charges?limit=1')).body.data).toMatchObject([
      { idempotencyKey: keyNo(12) },
    ]);
  });
});

describe('the seller actions of the control API', () => {
  test('approve a seller, and return the seller’s documents', async () => {
    const id = String((await onboard(server, undefined, keyNo(21))).body.registration_id);
    const details = await requestControl(`GET /onboarding/${id}`);
    expect(details.body.documents).toEqual([
      expect.objectContaining({ field: 'cnhCompleta', contentType: 'image/png', size: 3 }),
      expect.objectContaining({ field: 'selfie', contentType: 'image/png', size: 3 }),
    ]);
    const picture = await requestControl(`GET /onboarding/${id}/documents/selfie`);
    expect([...picture.text].map((char) => char.charCodeAt(0))).toEqual([4, 5, 6]);
    expect(picture.headers['content-security-policy']).toContain('sandbox');
    expect(picture.headers).not.toHaveProperty('content-disposition');
    expect((await requestControl(`GET /onboarding/${id}/documents/__proto__`)).status).toBe(404);
    expect((await requestControl(`POST /onboarding/${id}/approve`)).body).toMatchObject({
      status: 'approved',
    });
    expect((await requestControl(`POST /onboarding/${id}/approve`)).status).toBe(409);
    expect((await requestControl('GET /onboarding?limit=1')).body.data).toMatchObject([
      { registration_id: id },
    ]);
  });

  test.each([
    ['pf', 'fullName', 'onboarding.submitPf'],
    ['pj', 'representativeName', 'onboarding.submitPj'],
  ])('submit a sample registration through the platform’s API: %s', async (kind, field, operation) => {
    const { body } = await requestControl('POST /onboarding/sample', { kind });
    expect(body).toMatchObject({ kind, status: 'submitted', fields: { [field]: 'Ana Souza' } });
    expect(sandbox.journal.requests.at(-1)).toMatchObject({ operation, status: 202 });
  });

  test('give every sample registration a different document', async () => {
    const documents = [
      (await requestControl('POST /onboarding/sample')).body.fields.document,
      (await requestControl('POST /onboarding/sample')).body.fields.document,
    ];
    expect(new Set(documents).size).toBe(2);
  });

  test.each([
    [{ fault: 'reset', operation: 'onboarding.submitPf' }, 'broke the connection'],
    [{ fault: { status: 503 }, operation: 'onboarding.submitPf' }, 'The request got a 503'],
  ] as const)('submit no sample registration if a fault hits its request: %o', async (fault, message) => {
    await requestControl('POST /faults', fault);
    const rejected = await requestControl('POST /onboarding/sample');
    expect([rejected.status, rejected.body.error.message]).toEqual([409, expect.stringContaining(message)]);
  });

  test('reject a seller with a reason, and allow a resubmission', async () => {
    const id = String((await onboard(server, undefined, keyNo(22))).body.registration_id);
    const rejected = await requestControl(`POST /onboarding/${id}/reject`, {
      canResubmit: true,
      reason: 'blurred',
    });
    expect(rejected.body).toMatchObject({ status: 'rejected', can_resubmit: true, reason: 'blurred' });
  });

  test('deactivate and activate a seller, and complete or fail its withdrawals', async () => {
    const id = await subAccount(server, '11144477735', keyNo(23));
    expect(
      (await requestControl(`POST /submerchants/${id}/status`, { status: 'inactive' })).body.status,
    ).toBe('inactive');
    expect((await requestControl(`POST /submerchants/${id}/status`, { status: 'active' })).body.status).toBe(
      'active',
    );
    expect((await requestControl('GET /submerchants?limit=1')).body.data).toMatchObject([{ internalId: id }]);
    const withdraw = async (number: number) =>
      (
        await call(server, '/v1/submerchants/withdrawals', {
          body: { internalId: id, amount: 500 },
          key: keyNo(number),
        })
      ).body.withdraw_id;
    const [one, other] = [await withdraw(24), await withdraw(25)];
    expect((await requestControl(`POST /withdrawals/${one}/complete`)).body.status).toBe('completed');
    expect((await requestControl(`POST /withdrawals/${other}/fail`)).body.status).toBe('failed');
    expect((await requestControl(`POST /withdrawals/${other}/fail`)).status).toBe(409);
    expect((await requestControl('POST /withdrawals/no-number/fail')).status).toBe(404);
    expect((await requestControl('GET /withdrawals')).body.data).toHaveLength(2);
    await requestControl('POST /features', { feature: 'split', enabled: true });
    const owned = { subMerchant: { document: { number: '11144477735' } } };
    await pay(server, openCard(testCards.approved, owned));
    const split = [{ document: { number: '11144477735' }, percentage: 25 }];
    await pay(server, openCard(testCards.approved, { split }));
    await pay(server, openCard(testCards.refused, owned));
    const [account] = (await requestControl('GET /submerchants?limit=1')).body.data;
    // The balance is the whole first payment, plus a quarter of the second, minus the completed withdrawal.
    expect(account.balance).toBe(1_990 + 498 - 500);
  });
});

describe('the wallet actions of the control API', () => {
  test('explain why the verification of a domain failed', async () => {
    const receiver = await startReceiver(() => 404);
    await call(server, '/v1/payment-method-domains', { body: { domainName: 'shop.example' } });
    const [domain] = (await requestControl('GET /domains')).body.data;
    const from = new URL(receiver.url).origin;
    const verified = await requestControl(`POST /domains/${domain.id}/verify`, { from });
    expect(verified.body).toMatchObject({
      status: 'failed',
      lastVerificationError: expect.stringMatching('404'),
    });
    expect((await requestControl(`POST /domains/${domain.id}/verify`, { from: 'nowhere' })).status).toBe(400);
  });

  test('create a certificate record, and issue its certificate', async () => {
    const created = await requestControl('POST /certificates', { merchantIdentifier: 'merchant.example' });
    const { signingRequestPem } = created.body;
    const issued = await requestControl('POST /certificates/issue', { signingRequestPem });
    expect(issued.body.certificate).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect((await requestControl('POST /certificates/issue', { signingRequestPem: 'none' })).status).toBe(
      400,
    );
    expect((await requestControl('GET /certificates')).body.data).toEqual([created.body]);
  });
});

describe('the webhook actions of the control API', () => {
  test('register an endpoint, list every attempt of a delivery, and send it again', async () => {
    const receiver = await startReceiver((nth) => (nth === 1 ? 500 : 200));
    const secret = 'a webhook secret of a test';
    const registered = await requestControl('POST /endpoints', {
      url: receiver.url,
      secret,
      events: ['transaction.paid'],
    });
    expect(registered.body).toMatchObject({ endpoint: receiver.url, hmac_configured: true });
    const { id: endpoint } = registered.body;
    await pay(server, openCard());
    await receiver.until(1);
    await sandbox.webhooks.idle();
    const [delivery] = (await requestControl('GET /deliveries?limit=1')).body.data;
    expect(delivery).toMatchObject({ event: 'transaction.paid', state: 'failed', status: 500, attempts: 1 });
    await requestControl('POST /clock/advance', { duration: '30s' });
    const { body } = await requestControl(`GET /deliveries/${delivery.id}`);
    expect(body.attempts).toMatchObject([
      { attempt: 1, status: 500, body: receiver.received[0]?.body },
      {
        attempt: 2,
        status: 200,
        headers: { 'x-service-signature': receiver.received[1]?.headers['x-service-signature'] },
      },
    ]);
    await requestControl(`POST /deliveries/${delivery.id}/resend`);
    await receiver.until(3);
    await sandbox.webhooks.idle();
    const ids = async (query: string) =>
      (await requestControl(`GET /deliveries?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(`endpoint=${endpoint}&state=delivered&event=transaction.paid`)).toHaveLength(2);
    expect(await ids(`endpoint=${unknownId}`)).toEqual([]);
    expect(await ids('state=failed')).toEqual([]);
    await requestControl(`POST /endpoints/${endpoint}/status`, { status: 'suspended' });
    const rejected = await requestControl(`POST /deliveries/${delivery.id}/resend`);
    expect(rejected).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringMatching('suspended') } },
    });
    const all = await requestControl('GET /endpoints');
    expect(all.body.data).toMatchObject([{ id: endpoint, status: 'suspended' }]);
    for (const path of ['/endpoints', '/deliveries', `/deliveries/${delivery.id}`, '/journal?limit=1000']) {
      expect((await requestControl(`GET ${path}`)).text).not.toContain(secret);
    }
  });

  test('list deliveries with their order id, their amount and the receiver’s latest response', async () => {
    const endpoint = sandbox.webhooks.connect(() => new Response('The queue is full.', { status: 503 }), {
      events: ['transaction.paid'],
    });
    await pay(server, openCard(testCards.approved, { externalId: 'order-1042' }));
    await sandbox.webhooks.idle();
    const [delivery] = (await requestControl(`GET /deliveries?endpoint=${endpoint.id}`)).body.data;
    const order = {
      amount: 1_990,
      externalReference: 'order-1042',
      response: { body: 'The queue is full.' },
    };
    expect(delivery).toMatchObject(order);
    expect((await requestControl(`GET /deliveries/${delivery.id}`)).body.delivery).toMatchObject(order);
    sandbox.control.webhooks.remove(endpoint.id);
  });

  test('reject an endpoint that the platform’s API would reject', async () => {
    const rejected = await requestControl('POST /endpoints', { url: 'http://shop.example/hook' });
    expect(rejected).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/url/) } },
    });
  });
});

describe('the platform actions of the control API', () => {
  test('describe the sandbox without its secret', async () => {
    const { body, text } = await requestControl('GET /info');
    const { clientId, clientSecret } = server.clientOptions();
    expect(body).toMatchObject({ frozen: true, testCards, merchants: [{ clientId }] });
    expect(body.counts.payments).toBe(sandbox.ledger.charges.length);
    expect(body.counts.deliveries).toBe(sandbox.webhooks.list().length);
    expect(text).not.toContain(clientSecret);
    expect((await requestControl('GET /defaults')).body.data.length).toBeGreaterThan(30);
    expect((await requestControl('GET /scenarios')).body.data).toEqual(scenarios);
  });

  test('list the journal from a given position', async () => {
    const before = sandbox.journal.requests.length;
    for (let number = 0; number < 3; number++) await pay(server, pix({ externalReference: `no ${number}` }));
    const numbers = async (query: string) =>
      (await requestControl(`GET /journal?${query}`)).body.data.map(
        ({ number }: { number: number }) => number,
      );
    expect(await numbers('limit=2')).toEqual([before + 2, before + 3]);
    expect(await numbers(`after=${before}&limit=2`)).toEqual([before + 1, before + 2]);
    expect(await numbers(`after=${before + 3}`)).toEqual([]);
  });

  test('return a payment’s timeline in order: requests, the fault, the charge, the clock and the statuses', async () => {
    sandbox.faults.add({ fault: 'reset', phase: 'after-commit' });
    await pay(server, pix(), keyNo(901)).catch(() => undefined);
    await pay(server, pix(), keyNo(902));
    const { body } = await pay(server, pix(), keyNo(901));
    await requestControl('POST /clock/advance', { duration: '10m' });
    await requestControl(`POST /payments/${body.id}/pay`);
    await requestControl('POST /clock/advance', { duration: '1h' });
    const { data } = (await requestControl(`GET /timeline?payment=${body.id}`)).body;
    const events = data.map(
      ({ kind, status, operation, by, call }: Record<string, unknown>) =>
        `${kind} ${status ?? operation ?? by ?? call}`,
    );
    expect(events).toEqual([
      'request payments.create',
      'status waiting_payment',
      'fault payments.create',
      'request payments.create',
      'response 200',
      'clock 600000',
      'control payments.pay',
      'status paid',
    ]);
    const requests = (await requestControl(`GET /journal?payment=${body.id}`)).body.data;
    expect(requests.map(({ status }: { status?: number }) => status)).toEqual([undefined, 200]);
    const [one, newest] = (await requestControl('GET /timeline?limit=2')).body.data;
    expect((await requestControl(`GET /timeline?limit=1&before=${newest.number}`)).body.data).toEqual([one]);
    expect((await plain(`GET /timeline?payment=${unknownId}`)).status).toBe(404);
    expect((await requestControl(`GET /test?payment=${body.id}&runner=jest`)).text).toContain(
      'sandbox.control.payments.pay(',
    );
    expect((await plain('GET /test?runner=mocha')).status).toBe(400);
  });

  test('omit a rejected action from the timeline', async () => {
    const { body } = await pay(server, pix());
    expect((await requestControl(`POST /payments/${body.id}/refund`)).status).toBe(409);
    const [newest] = (await requestControl('GET /timeline?limit=1')).body.data;
    expect(newest).toMatchObject({ kind: 'response', paymentId: body.id });
  });

  test('return the time, and advance it', async () => {
    const before = (await requestControl('GET /clock')).body;
    const after = (await requestControl('POST /clock/advance', { duration: '1h' })).body;
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(3_600_000);
    expect((await requestControl('POST /clock/advance', { duration: 'soon' })).body.error.issues).toEqual([
      expect.objectContaining({ path: 'duration' }),
    ]);
    expect((await requestControl('POST /clock/advance', { duration: 8.64e15 })).status).toBe(400);
  });

  test('add, list and remove request faults, which never hit the control API itself', async () => {
    const added = await requestControl('POST /faults', { fault: { status: 503, body: 'later' }, times: 9 });
    const { id } = added.body;
    expect(added.body).toMatchObject({ operation: '*', fault: { status: 503 }, left: 9 });
    expect((await pay(server, pix())).status).toBe(503);
    expect((await requestControl('GET /faults')).body.data).toMatchObject([{ left: 8 }]);
    expect((await requestControl('GET /faults/fired')).body.data.at(-1)).toMatchObject({
      id,
      operation: 'payments.create',
      phase: 'before-commit',
    });
    await requestControl('POST /faults', { id: 'named', fault: 'reset' });
    expect((await requestControl(`DELETE /faults/${id}`)).status).toBe(204);
    expect((await requestControl('DELETE /faults/other')).status).toBe(404);
    expect((await requestControl('GET /faults')).body.data).toMatchObject([{ id: 'named' }]);
    await requestControl('DELETE /faults');
    expect((await pay(server, pix())).status).toBe(201);
    const rejected = await requestControl('POST /faults', { fault: 'explode', nth: 0, operation: 'none' });
    const paths = rejected.body.error.issues.map(({ path }: { path: string }) => path);
    expect([rejected.status, ...paths]).toEqual([400, 'nth', 'operation', 'fault']);
  });

  test('make deliveries fail on demand', async () => {
    const added = await requestControl('POST /delivery-faults', {
      fault: 'drop',
      event: 'transaction.paid',
      times: 2,
    });
    const { id } = added.body;
    expect(added.body).toMatchObject({ event: 'transaction.paid', fault: 'drop', left: 2 });
    const receiver = await startReceiver();
    const { body: endpoint } = await requestControl('POST /endpoints', {
      url: receiver.url,
      events: ['transaction.paid'],
    });
    await pay(server, openCard());
    await sandbox.webhooks.idle();
    expect((await requestControl('GET /delivery-faults/fired')).body.data).toMatchObject([
      { id, fault: 'drop', endpointId: endpoint.id, attempt: 1 },
    ]);
    expect((await requestControl('GET /delivery-faults')).body.data).toMatchObject([{ left: 1 }]);
    expect((await requestControl(`DELETE /delivery-faults/${id}`)).status).toBe(204);
    expect((await requestControl('DELETE /delivery-faults')).status).toBe(204);
    await sandbox.clock.advance('30s');
    expect(receiver.received).toHaveLength(1);
    expect((await requestControl(`DELETE /endpoints/${endpoint.id}`)).status).toBe(204);
    expect((await requestControl(`DELETE /endpoints/${endpoint.id}`)).status).toBe(404);
  });

  test('enable features for any merchant', async () => {
    const added = await requestControl('POST /merchants', { clientId: 'second', features: { split: true } });
    expect(added.body.clientSecret).toBe(server.clientOptions({ clientId: 'second' }).clientSecret);
    expect((await requestControl('POST /merchants', { clientId: 'second' })).status).toBe(400);
    await requestControl('POST /features', { feature: 'paas', enabled: false, clientId: 'second' });
    const { data } = (await requestControl('GET /features')).body;
    expect(data.at(-1)).toEqual({ clientId: 'second', features: { paas: false, split: true } });
  });

  test('return the credentials that the sandbox’s clients use', async () => {
    const { clientId, clientSecret } = server.clientOptions();
    expect((await requestControl('GET /credentials')).body).toEqual({ clientId, clientSecret });
  });

  test('revoke tokens and rotate secrets', async () => {
    const { clientId, clientSecret } = server.clientOptions();
    await call(server, '/oauth/token', {
      body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    });
    expect((await requestControl('GET /tokens')).body.data).toMatchObject([{ clientId, state: 'valid' }]);
    await requestControl('POST /tokens/revoke');
    expect((await requestControl('GET /tokens')).body.data).toMatchObject([{ state: 'revoked' }]);
    const rotated = (await requestControl('POST /credentials/rotate')).body;
    expect(rotated).toEqual({ clientId, clientSecret: server.clientOptions().clientSecret });
    expect(rotated.clientSecret).not.toBe(clientSecret);
    expect((await requestControl('POST /credentials/rotate', { clientId: 'nobody' })).status).toBe(400);
  });

  test('return the same responses in process as over HTTP', async () => {
    const { baseUrl, fetch } = sandbox.clientOptions();
    const response = await fetch(`${baseUrl}/_sandbox/clock`);
    expect(await response.json()).toEqual((await requestControl('GET /clock')).body);
  });

  test('leave no entries in the journal', () => {
    expect(sandbox.journal.requests.filter(({ path }) => path.startsWith('/_sandbox'))).toEqual([]);
  });
});

test('a reset removes everything except the merchants', async () => {
  const { clientId } = server.clientOptions();
  expect((await requestControl('POST /reset')).status).toBe(204);
  const { body } = await requestControl('GET /info');
  expect(body.counts).toEqual({
    payments: 0,
    requests: 0,
    rejected: 0,
    deliveries: 0,
    failed: 0,
    paymentsByStatus: {},
    deliveriesByState: {},
  });
  expect(body.merchants[0].clientId).toBe(clientId);
});

test('this file calls every action of the control API', () => {
  expect([...called].sort()).toEqual(actions.map(({ id }) => id).sort());
});
