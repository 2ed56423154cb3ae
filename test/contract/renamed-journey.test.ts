import {
  assumptions,
  type ClientOptions,
  type FieldName,
  PaymentPlatform,
  rawBodyOf,
  responseOf,
} from 'payment-platform';
import { createSandbox, testCards } from 'payment-platform/sandbox';
import { verify, verifyAsync } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../sandbox/test/support.js';
import { catchError } from '../support/engines.js';
import { openCard, pix } from '../support/payments.js';
import { rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

const keys = Object.keys(assumptions) as FieldName[];

/** Replaces every assumed name with another word. */
const fieldNames = Object.fromEntries(
  keys.map((key, index) => [key, key === 'response.requestId' ? 'x-renamed-id' : `renamed_${index}`]),
) as { readonly [Name in FieldName]: string };

/** Lists the default names that must not appear on the wire, by place. */
const defaults = (group: string, place: string) =>
  keys
    .filter((key) => key.startsWith(`${group}.`) && key.split('.').length === 2)
    .filter((key) => (assumptions[key].in as readonly string[]).includes(place))
    .map((key) => assumptions[key].wire);

/** Lists every name in a value, at any depth. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => [name, ...namesIn(entry)]);
}

const secret = 'whsec_0123456789abcdef';
const seller = { number: '12345678909', type: 'cpf' };
const order = {
  ...pix,
  subMerchant: { document: seller },
  clientIp: '203.0.113.7',
  statementDescriptor: 'CAFE',
  metadata: { table: 4 },
};

describe.each(['in process', 'over HTTP'])(
  'a journey on a platform where every assumed field name differs, %s',
  (road) => {
    async function start(options: ClientOptions = {}) {
      const sandbox = opens(
        createSandbox({
          seed: 1,
          now: '2026-01-01T00:00:00Z',
          fieldNames,
          oauth: { grantType: 'required' },
        }),
      );
      sandbox.control.features.enable('paas');
      sandbox.control.features.enable('split');
      const own = road === 'in process' ? sandbox : await sandbox.listen();
      const drift: unknown[] = [];
      const platform = opens(
        new PaymentPlatform({
          ...own.clientOptions(),
          hooks: { onDrift: ({ issues }) => drift.push(...issues) },
          ...options,
        }),
      );
      return { sandbox, platform, drift };
    }

    test.each(['headers', 'oauth'] as const)(
      'returns the SDK’s field names to the merchant with auth %s',
      async (auth) => {
        const { sandbox, platform, drift } = await start({ auth });
        const receiver = await startReceiver(() => 200);
        const hook = await platform.webhooks.create({
          webhook_url: 'https://shop.example/hooks',
          events: [],
        });
        await platform.webhooks.update(hook.id, { webhook_url: receiver.url, hmac_secret: secret });

        await platform.submerchants.create({ documentNumber: seller.number, documentType: 'cpf' });
        const second = { documentNumber: '11222333000181', documentType: 'cnpj' };
        await platform.submerchants.create(second);
        const split = [{ document: { number: second.documentNumber, type: 'cnpj' }, percentage: 10 }];
        const payment = await platform.payments.create({ ...order, pix: { expiration: 60 }, split });
        expect(payment).toMatchObject({
          status: 'waiting_payment',
          subMerchant: { document: { number: seller.number } },
          split: { netAmount: 1990 },
        });
        expect(responseOf(payment).requestId).toMatch(/^[0-9a-f-]{36}$/);
        sandbox.control.payments.pay(payment.id);

        const declined = {
          ...openCard,
          threeDSData: { cavv: 'x' },
          card: { ...openCard.card, number: testCards.refused },
        };
        expect(await platform.payments.create(declined)).toMatchObject({
          status: 'refused',
          refusalReason: { code: 'refused_by_issuer' },
        });
        const { customer: _, ...bare } = pix;
        const boleto = await platform.payments.create({
          ...bare,
          paymentMethod: 'boleto',
          boleto: { expirationDate: '2026-02-01' },
        });
        expect((await platform.payments.boleto(boleto.id)).contentType).toBe('application/pdf');
        const wallet = await platform.payments.create({
          ...bare,
          paymentMethod: 'credit_card',
          wallet: { token: 'x' },
        });
        expect(wallet).toMatchObject({ status: 'paid', card: { wallet: { type: 'apple_pay' } } });

        const record = await sandbox.control.certificates.create();
        const { data } = await platform.certificates.list({ type: 'apple_pay_payment_processing' });
        expect(data.map(({ id }) => id)).toEqual([record.id]);
        const cnpj = '12ABC34501DE35';
        const { registration_id } = await platform.onboarding.submitPj({ cnpj });
        expect(await platform.onboarding.status(registration_id)).toMatchObject({
          status: 'submitted',
          can_resubmit: false,
        });

        await sandbox.webhooks.idle();
        const events: string[] = [];
        for (const { body, headers } of sandbox.webhooks.deliveries) {
          const delivery = { body, headers };
          const at = { now: new Date('2026-01-01T00:00:00Z') };
          const event = verify(delivery, { secret, fieldNames, ...at });
          expect(await verifyAsync(delivery, { secret, fieldNames, ...at })).toEqual(event);
          expect(platform.webhooks.verify(delivery, { secret, ...at })).toEqual(event);
          expect(namesIn(event).filter((name) => name.startsWith('renamed_'))).toEqual([]);
          events.push(event.event);
          if (event.event === 'transaction.paid' && event.id === payment.id)
            expect(event).toMatchObject({ split: { netAmount: 1990 }, subMerchant: payment.subMerchant });
          if (event.event === 'transaction.refused')
            expect(event.refusalReason).toMatchObject({ code: 'refused_by_issuer' });
        }
        expect(new Set(events)).toContain('transaction.refused');
        expect(new Set(events)).toContain('transaction.paid');
        expect(drift).toEqual([]);
        expect(sandbox.journal.requests.filter(({ status }) => (status ?? 500) >= 300)).toEqual([]);

        // The requests contain the configured names and none of the defaults.
        const sent = (operation: string) =>
          sandbox.journal.requests.filter((request) => request.operation === operation);
        for (const { body } of sent('payments.create'))
          expect(
            Object.keys(body as object).filter((name) => defaults('payment', 'request').includes(name)),
          ).toEqual([]);
        const [first] = sent('payments.create');
        expect(first?.body).toMatchObject({
          subMerchant: {
            [fieldNames['payment.subMerchant.document']]: {
              [fieldNames['payment.subMerchant.document.number']]: seller.number,
              [fieldNames['payment.subMerchant.document.type']]: 'cpf',
            },
          },
          [fieldNames['payment.clientIp']]: '203.0.113.7',
        });
        expect(sent('certificates.list')[0]?.path).toContain(`?${fieldNames['certificates.type']}=`);
        expect(sent('webhooks.update')[0]?.body).toHaveProperty(fieldNames['webhooks.webhook_url']);
        if (auth === 'oauth')
          expect(sent('oauth.token')[0]?.body).toHaveProperty(fieldNames['oauth.grant_type']);
        for (const { body } of sandbox.webhooks.deliveries)
          expect(
            Object.keys(JSON.parse(body)).filter((name) =>
              defaults('payment', 'notification').includes(name),
            ),
          ).toEqual([]);
      },
    );

    test('fails for a client without the new field names, and the error lists the expected names', async () => {
      const { platform } = await start({ fieldNames: {}, auth: 'oauth' });
      const error = await catchError(platform.payments.create(pix));
      expect(JSON.stringify(rawBodyOf(error))).toContain(fieldNames['oauth.grant_type']);
      const { platform: other } = await start({
        fieldNames: { ...fieldNames, 'payment.subMerchant.document': 'document' },
      });
      const rejected = await catchError(other.payments.create(order));
      expect(rejected).toMatchObject({ name: 'BadRequestError' });
      const path = ['payment.subMerchant.document', 'payment.subMerchant.document.number'] as const;
      const wire = `subMerchant.${path.map((key) => fieldNames[key]).join('.')}`;
      expect(JSON.stringify(rawBodyOf(rejected))).toContain(wire);
    });
  },
);

test('every renamed response field is read under its new name, and not under its default name', async () => {
  const wire = keys.filter((key) => assumptions[key].in.includes('response') && key.startsWith('payment.'));
  const body = Object.fromEntries(wire.map((key) => [fieldNames[key], key]));
  const shadows = Object.fromEntries(wire.map((key) => [assumptions[key].wire, 'not this one']));
  const text = JSON.stringify({ ...shadows, ...body });
  const server = opens(
    await rawServer(({ socket }) =>
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      ),
    ),
  );
  const options = { baseUrl: server.url, clientId: 'id', clientSecret: 'secret-canary', fieldNames };
  const payment = await opens(new PaymentPlatform(options)).payments.create(pix);
  expect(payment).toEqual(Object.fromEntries(wire.map((key) => [assumptions[key].property, key])));
});

test('createSandbox rejects the same invalid fieldNames as a client', () => {
  expect(() => createSandbox({ fieldNames: { 'payment.split': 'amount' } })).toThrow(
    /payment.split cannot be amount/,
  );
  expect(() => createSandbox({ fieldNames: { 'payment.splt': 'x' } as never })).toThrow(/unknown key/);
});
