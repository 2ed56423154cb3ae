import { createHmac } from 'node:crypto';
import type { RecordedDelivery } from '../../../sandbox/doctor/receiver.js';
import { type ApiResponse, uuid } from '../api.js';
import {
  checkFields,
  isOneOf,
  isRejected,
  isText,
  isTime,
  type Seen,
  type Statement,
  seen,
} from '../statement.js';
import { ensureEndpoint, payForDeliveries, secret } from './deliveries.js';

const section = 'Webhooks';

const endpointTests = {
  id: (value: unknown) => uuid.test(String(value)),
  endpoint: isText,
  status: isOneOf('active', 'failed', 'inactive', 'suspended'),
  created_at: isTime,
  events: Array.isArray,
  hmac_configured: (value: unknown) => typeof value === 'boolean',
  hmac_secret: isOneOf(undefined),
};

const register = (statement: string, body: object): Statement => ({
  section,
  statement,
  expected: 'refused (4xx)',
  need: 'write',
  check: async (api) =>
    isRejected(
      await api.send('POST /v1/webhooks', {
        body: { webhook_url: 'https://conformance.example/hook', events: ['transaction.paid'], ...body },
      }),
    ),
});

function listed({ status, body }: ApiResponse): Seen {
  if (status !== 200 || !Array.isArray(body?.data)) return seen(false, `${status}`);
  const wrong = body.data.filter((item: unknown) => {
    const { holds } = checkFields({ status, headers: new Headers(), body: item }, endpointTests);
    return !holds;
  });
  return seen(wrong.length === 0, `${body.data.length} endpoints`);
}

/** Checks the deliveries of a payment. */
const delivered = (
  statement: string,
  expected: string,
  look: (deliveries: readonly RecordedDelivery[]) => Seen,
  more: Partial<Statement> = {},
): Statement => ({
  section: 'Events',
  statement,
  expected,
  need: 'receive',
  ...more,
  check: async (...value) => {
    const deliveries = await payForDeliveries(value);
    return deliveries.length === 0 ? seen(false, 'no delivery within a minute') : look(deliveries);
  },
});

const readHeader = ({ headers }: RecordedDelivery, name: string) => String(headers[name] ?? '');

const computeSignature = (delivery: RecordedDelivery, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret)
    .update(`${readHeader(delivery, 'x-service-timestamp')}.${delivery.body}`)
    .digest(encoding);

export const webhookStatements: readonly Statement[] = [
  {
    section,
    statement: 'GET /v1/webhooks lists the endpoints, without their secrets',
    expected: 'data: id, endpoint, status, created_at, events, hmac_configured',
    need: 'read',
    check: async (api) => listed(await api.send('GET /v1/webhooks')),
  },
  register('The URL is https', { webhook_url: 'http://conformance.example/hook' }),
  register('hmac_secret has at least 16 characters', { hmac_secret: 'x'.repeat(15) }),
  register('hmac_secret has at most 256 characters', { hmac_secret: 'x'.repeat(257) }),
  delivered('Each status change fires the specific and the generic event', 'both', (deliveries) => {
    const events = deliveries.map(({ body }) => JSON.parse(body).event).sort();
    return seen(
      ['transaction.status.updated', 'transaction.waiting_payment'].every((event) => events.includes(event)),
      events.join(', '),
    );
  }),
  delivered('The User-Agent is Service-Webhook/1.0', 'Service-Webhook/1.0', ([first]) => {
    const agent = first === undefined ? '' : readHeader(first, 'user-agent');
    return seen(agent === 'Service-Webhook/1.0', agent);
  }),
  delivered('The signature is HMAC-SHA256 over timestamp.body', 'hexadecimal or base64', ([first]) => {
    const value = first === undefined ? '' : readHeader(first, 'x-service-signature');
    const encoding = (['hex', 'base64'] as const).find(
      (encoding) => first !== undefined && value.includes(computeSignature(first, encoding)),
    );
    return seen(encoding !== undefined, encoding ?? `another one, of ${value.length} characters`);
  }),
  delivered(
    'The signature is hexadecimal, and the timestamp in seconds',
    'hex, 10 digits',
    ([first]) => {
      const timestamp = first === undefined ? '' : readHeader(first, 'x-service-timestamp');
      const isHex =
        first !== undefined && readHeader(first, 'x-service-signature') === computeSignature(first, 'hex');
      return seen(isHex && /^\d{10}$/.test(timestamp), `${isHex ? 'hex' : 'not hex'}, ${timestamp}`);
    },
    { isAssumed: true },
  ),
  delivered('A delivery is a POST with a JSON body that has the field event', 'POST, event', (deliveries) => {
    const wrong = deliveries.filter(
      ({ method, body }) => method !== 'POST' || typeof JSON.parse(body).event !== 'string',
    );
    return seen(wrong.length === 0, `${deliveries.length} deliveries, ${wrong.length} otherwise`);
  }),
  delivered('The specific and the generic event differ only in the field event', 'the same', (deliveries) => {
    const [first, second] = deliveries.map(({ body }) => JSON.stringify({ ...JSON.parse(body), event: '' }));
    return seen(first === second, first === second ? 'the same' : 'they differ');
  }),
  {
    section: 'Events',
    statement: 'The payload of a boleto has boleto.digitableLine, and neither url nor barcode',
    expected: 'digitableLine alone',
    need: 'receive',
    check: async (...value) => {
      const [first] = await payForDeliveries(value, { paymentMethod: 'boleto' });
      if (first === undefined) return seen(false, 'no delivery within a minute');
      const { boleto } = JSON.parse(first.body);
      const names = Object.keys(boleto ?? {});
      const holds = isText(boleto?.digitableLine) && !names.includes('url') && !names.includes('barcode');
      return seen(holds, names.join(', ') || 'no boleto');
    },
  },
  {
    section: 'Events',
    statement: 'A delivery that gets an error is sent again',
    expected: 'a second attempt within five minutes',
    need: 'receive',
    check: async (api, receiver) => {
      if (receiver === undefined) return seen(false, 'no receiver');
      receiver.status = 500;
      const [first] = await payForDeliveries([api, receiver]);
      receiver.status = 200;
      if (first === undefined) return seen(false, 'no delivery within a minute');
      const again = () => receiver.deliveries.filter(({ body }) => body === first.body).length;
      for (let minutes = 0; minutes < 5 && again() < 2; minutes++) {
        await api.target.wait(60);
        await receiver.until(2, ({ body }) => body === first.body, 1_000);
      }
      return seen(again() >= 2, `${again()} attempts`);
    },
  },
  {
    section,
    statement: 'An update without hmac_secret keeps the secret, null removes it, a string sets it',
    expected: 'hmac_configured true, false, true',
    need: 'receive',
    check: async (api, receiver) => {
      if (receiver === undefined) return seen(false, 'no receiver');
      const { id, events } = await ensureEndpoint(api, receiver);
      const configured: unknown[] = [];
      for (const body of [{ events }, { events, hmac_secret: null }, { events, hmac_secret: secret }]) {
        await api.send(`PUT /v1/webhooks/${id}`, { body });
        const { body: list } = await api.send('GET /v1/webhooks');
        configured.push(list?.data?.find((one: { id: string }) => one.id === id)?.hmac_configured);
      }
      return seen(configured.join() === 'true,false,true', configured.join(', '));
    },
  },
  {
    section: 'Events',
    statement: 'Without a secret a delivery has no signature headers',
    expected: 'neither header',
    need: 'receive',
    check: async (api, receiver) => {
      if (receiver === undefined) return seen(false, 'no receiver');
      const [first] = await payForDeliveries([api, receiver], {}, null);
      if (first === undefined) return seen(false, 'no delivery within a minute');
      const found = ['x-service-timestamp', 'x-service-signature'].filter((name) => name in first.headers);
      return seen(found.length === 0, found.join(', ') || 'neither header');
    },
  },
  {
    section,
    statement: 'A registration returns the endpoint without its secret, and the list has one item per URL',
    expected: 'id, endpoint, status, created_at, events, hmac_configured; listed once',
    need: 'receive',
    check: async (api, receiver) => {
      if (receiver === undefined) return seen(false, 'no receiver');
      const { endpoint } = await ensureEndpoint(api, receiver);
      const { body } = await api.send('GET /v1/webhooks');
      const urls = (body?.data ?? []).map((one: { endpoint: string }) => one.endpoint);
      const once = urls.filter((url: string) => url === endpoint).length;
      return seen(once === 1 && new Set(urls).size === urls.length, `listed ${once} time(s)`);
    },
  },
];
