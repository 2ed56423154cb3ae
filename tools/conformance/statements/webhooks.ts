import { createHmac } from 'node:crypto';
import type { DoctorReceiver, RecordedDelivery } from '../../../sandbox/doctor/receiver.js';
import { type Api, newKey, nothing } from '../api.js';
import {
  about,
  assumed,
  checkFields,
  isOneOf,
  isText,
  isTime,
  isUuid,
  type Seen,
  type Statement,
  seen,
} from '../statement.js';
import { pix } from './payments.js';

const webhooks = about('Webhooks');
const events = about('Events');

const secret = 'conformance-secret-0123456789';
const url = 'https://conformance.example/hook';
const paid = ['transaction.paid'];
const noDelivery = seen(false, 'no delivery within a minute');

/** A statement whose check needs the receiver. Without one, the statement is skipped. */
const receives = (
  section: ReturnType<typeof about>,
  statement: string,
  expected: string,
  check: (api: Api, receiver: DoctorReceiver) => Promise<Seen>,
): Statement =>
  section.receives(statement, expected, async (api, receiver) =>
    receiver === undefined ? seen(false, 'no receiver') : check(api, receiver),
  );

/** Returns the receiver's endpoint, and registers it first if necessary. */
async function ensureEndpoint(
  api: Api,
  receiver: DoctorReceiver,
): Promise<{ id: string; endpoint: string; events: string[] }> {
  const { body } = await api.send('GET /v1/webhooks');
  const known = body?.data?.find(({ endpoint }: { endpoint: string }) => endpoint === receiver.url);
  if (known !== undefined) return known;
  const subscribed = ['transaction.waiting_payment', 'transaction.status.updated'];
  const registration = { webhook_url: receiver.url, events: subscribed, hmac_secret: secret };
  return (await api.send('POST /v1/webhooks', { body: registration })).body;
}

/** Creates a payment and returns its deliveries. */
async function payForDeliveries(
  api: Api,
  receiver: DoctorReceiver,
  more: object = {},
  hmac_secret: string | null = secret,
): Promise<RecordedDelivery[]> {
  const { id } = await ensureEndpoint(api, receiver);
  await api.send(`PUT /v1/webhooks/${id}`, { body: { hmac_secret } });
  const { body: payment } = await api.send('POST /v1/payments', { key: newKey(), body: pix(more) });
  return receiver.until(2, ({ body: text }) => text.includes(payment?.id), 60_000);
}

/** Checks the deliveries of a payment. */
const delivered = (
  statement: string,
  expected: string,
  look: (first: RecordedDelivery, deliveries: readonly RecordedDelivery[]) => Seen,
  more: object = {},
): Statement =>
  receives(events, statement, expected, async (api, receiver) => {
    const deliveries = await payForDeliveries(api, receiver, more);
    return deliveries[0] === undefined ? noDelivery : look(deliveries[0], deliveries);
  });

const readHeader = ({ headers }: RecordedDelivery, name: string) => String(headers[name] ?? '');

const computeSignature = (delivery: RecordedDelivery, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret)
    .update(`${readHeader(delivery, 'x-service-timestamp')}.${delivery.body}`)
    .digest(encoding);

const refuses = (statement: string, bodies: Readonly<Record<string, object>>): Statement =>
  webhooks.refuses('write', statement, () =>
    Object.entries(bodies).map(([label, body]) => [
      label,
      'POST /v1/webhooks',
      { body: { webhook_url: url, events: paid, ...body } },
    ]),
  );

export const webhookStatements: readonly Statement[] = [
  refuses('A registration has an HTTPS URL, a list of events, and a secret that is text', {
    'no URL': { webhook_url: undefined },
    'a URL without a scheme': { webhook_url: 'conformance.example' },
    'events as text': { events: 'transaction.paid' },
    'a number as secret': { hmac_secret: 1_234_567_890 },
  }),
  webhooks.refuses('read', 'An unknown webhook cannot be changed', () => [
    ['an unknown webhook', `PUT /v1/webhooks/${nothing}`, { body: { events: paid } }],
  ]),
  webhooks.reads(
    'GET /v1/webhooks lists the endpoints, without their secrets',
    'data: id, endpoint, status, created_at, events, hmac_configured',
    async (api) => {
      const { status, headers, body } = await api.send('GET /v1/webhooks');
      if (status !== 200 || !Array.isArray(body?.data)) return seen(false, status);
      const right = body.data.filter(
        (item: unknown) =>
          checkFields(
            { status, headers, body: item },
            {
              id: isUuid,
              endpoint: isText,
              status: isOneOf('active', 'failed', 'inactive', 'suspended'),
              created_at: isTime,
              events: Array.isArray,
              hmac_configured: isOneOf(true, false),
              hmac_secret: isOneOf(undefined),
            },
          ).holds,
      );
      return seen(right.length === body.data.length, `${body.data.length} endpoints`);
    },
  ),
  refuses('The URL is https', { http: { webhook_url: 'http://conformance.example/hook' } }),
  refuses('hmac_secret has at least 16 characters', { short: { hmac_secret: 'x'.repeat(15) } }),
  refuses('hmac_secret has at most 256 characters', { long: { hmac_secret: 'x'.repeat(257) } }),
  delivered('Each status change fires the specific and the generic event', 'both', (_, deliveries) => {
    const names = deliveries.map(({ body }) => JSON.parse(body).event).sort();
    const areBoth = ['transaction.status.updated', 'transaction.waiting_payment'].every((name) =>
      names.includes(name),
    );
    return seen(areBoth, names.join(', '));
  }),
  delivered('The User-Agent is Service-Webhook/1.0', 'Service-Webhook/1.0', (first) => {
    const agent = readHeader(first, 'user-agent');
    return seen(agent === 'Service-Webhook/1.0', agent);
  }),
  delivered('The signature is HMAC-SHA256 over timestamp.body', 'hexadecimal or base64', (first) => {
    const value = readHeader(first, 'x-service-signature');
    const encoding = (['hex', 'base64'] as const).find((name) =>
      value.includes(computeSignature(first, name)),
    );
    return seen(encoding !== undefined, encoding ?? `another one, of ${value.length} characters`);
  }),
  assumed(
    delivered('The signature is hexadecimal, and the timestamp in seconds', 'hex, 10 digits', (first) => {
      const timestamp = readHeader(first, 'x-service-timestamp');
      const isHex = readHeader(first, 'x-service-signature') === computeSignature(first, 'hex');
      return seen(isHex && /^\d{10}$/.test(timestamp), `${isHex ? 'hex' : 'not hex'}, ${timestamp}`);
    }),
  ),
  delivered(
    'A delivery is a POST with a JSON body that has the field event',
    'POST, event',
    (_, deliveries) => {
      const wrong = deliveries.filter(
        ({ method, body }) => method !== 'POST' || typeof JSON.parse(body).event !== 'string',
      );
      return seen(wrong.length === 0, `${deliveries.length} deliveries, ${wrong.length} otherwise`);
    },
  ),
  delivered(
    'The specific and the generic event differ only in the field event',
    'the same',
    (_, deliveries) => {
      const [first, second] = deliveries.map(({ body }) =>
        JSON.stringify({ ...JSON.parse(body), event: '' }),
      );
      return seen(first === second, first === second ? 'the same' : 'they differ');
    },
  ),
  delivered(
    'The payload of a boleto has boleto.digitableLine, and neither url nor barcode',
    'digitableLine alone',
    ({ body }) => {
      const { boleto = {} } = JSON.parse(body);
      const names = Object.keys(boleto);
      const holds = isText(boleto.digitableLine) && !names.includes('url') && !names.includes('barcode');
      return seen(holds, names.join(', ') || 'no boleto');
    },
    { paymentMethod: 'boleto' },
  ),
  receives(
    events,
    'A delivery that gets an error is sent again',
    'a second attempt within five minutes',
    async (api, receiver) => {
      receiver.status = 500;
      const [first] = await payForDeliveries(api, receiver);
      receiver.status = 200;
      if (first === undefined) return noDelivery;
      const again = () => receiver.deliveries.filter(({ body }) => body === first.body).length;
      for (let minutes = 0; minutes < 5 && again() < 2; minutes++) {
        await api.target.wait(60);
        await receiver.until(2, ({ body }) => body === first.body, 1_000);
      }
      return seen(again() >= 2, `${again()} attempts`);
    },
  ),
  receives(
    webhooks,
    'An update without hmac_secret keeps the secret, null removes it, a string sets it',
    'hmac_configured true, false, true',
    async (api, receiver) => {
      const { id, events: names } = await ensureEndpoint(api, receiver);
      const configured: unknown[] = [];
      for (const change of [{}, { hmac_secret: null }, { hmac_secret: secret }]) {
        await api.send(`PUT /v1/webhooks/${id}`, { body: { events: names, ...change } });
        const { body: list } = await api.send('GET /v1/webhooks');
        configured.push(list?.data?.find((one: { id: string }) => one.id === id)?.hmac_configured);
      }
      return seen(configured.join() === 'true,false,true', configured.join(', '));
    },
  ),
  receives(
    events,
    'Without a secret a delivery has no signature headers',
    'neither header',
    async (api, receiver) => {
      const [first] = await payForDeliveries(api, receiver, {}, null);
      if (first === undefined) return noDelivery;
      const found = ['x-service-timestamp', 'x-service-signature'].filter((name) => name in first.headers);
      return seen(found.length === 0, found.join(', ') || 'neither header');
    },
  ),
  receives(
    webhooks,
    'A registration returns the endpoint without its secret, and the list has one item per URL',
    'id, endpoint, status, created_at, events, hmac_configured; listed once',
    async (api, receiver) => {
      const { endpoint } = await ensureEndpoint(api, receiver);
      const { body } = await api.send('GET /v1/webhooks');
      const urls = (body?.data ?? []).map((one: { endpoint: string }) => one.endpoint);
      const once = urls.filter((each: string) => each === endpoint).length;
      return seen(once === 1 && new Set(urls).size === urls.length, `listed ${once} time(s)`);
    },
  ),
];
