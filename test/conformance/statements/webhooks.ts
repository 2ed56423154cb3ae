import { createHmac } from 'node:crypto';
import { type Answer, newKey, uuid } from '../api.js';
import type { Delivery } from '../receiver.js';
import {
  fieldsOf,
  isOneOf,
  isRefused,
  isText,
  isTime,
  type Seen,
  type Statement,
  seen,
} from '../statement.js';

const section = 'Webhooks';
const secret = 'conformance-secret-0123456789';

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
    isRefused(
      await api.send('POST /v1/webhooks', {
        body: { webhook_url: 'https://conformance.example/hook', events: ['transaction.paid'], ...body },
      }),
    ),
});

function listed({ status, body }: Answer): Seen {
  if (status !== 200 || !Array.isArray(body?.data)) return seen(false, `${status}`);
  const wrong = body.data.filter((item: unknown) => {
    const { holds } = fieldsOf({ status, headers: new Headers(), body: item }, endpointTests);
    return !holds;
  });
  return seen(wrong.length === 0, `${body.data.length} endpoints`);
}

/** The deliveries of one payment that is created for them. */
async function deliveriesOf([api, receiver]: Parameters<Statement['check']>): Promise<Delivery[]> {
  if (receiver === undefined) return [];
  const { body: known } = await api.send('GET /v1/webhooks');
  const endpoint = known?.data?.find(({ endpoint }: { endpoint: string }) => endpoint === receiver.url);
  const body = {
    webhook_url: receiver.url,
    events: ['transaction.waiting_payment', 'transaction.status.updated'],
  };
  if (endpoint === undefined) {
    await api.send('POST /v1/webhooks', { body: { ...body, hmac_secret: secret } });
  } else await api.send(`PUT /v1/webhooks/${endpoint.id}`, { body: { hmac_secret: secret } });
  const { body: payment } = await api.send('POST /v1/payments', {
    key: newKey(),
    body: {
      amount: 1_990,
      paymentMethod: 'pix',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '52998224725', type: 'cpf' },
      },
      items: [{ title: 'Conformance', quantity: 1, unitPrice: 1_990 }],
    },
  });
  return receiver.until(2, ({ body: text }) => text.includes(payment?.id), 60_000);
}

/** Whose deliveries are looked at. */
const delivered = (
  statement: string,
  expected: string,
  look: (deliveries: readonly Delivery[]) => Seen,
  more: Partial<Statement> = {},
): Statement => ({
  section: 'Events',
  statement,
  expected,
  need: 'receive',
  ...more,
  check: async (...given) => {
    const deliveries = await deliveriesOf(given);
    return deliveries.length === 0 ? seen(false, 'no delivery within a minute') : look(deliveries);
  },
});

const headerOf = ({ headers }: Delivery, name: string) => String(headers[name] ?? '');

const signatureOf = (delivery: Delivery, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret)
    .update(`${headerOf(delivery, 'x-service-timestamp')}.${delivery.body}`)
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
    const agent = first === undefined ? '' : headerOf(first, 'user-agent');
    return seen(agent === 'Service-Webhook/1.0', agent);
  }),
  delivered('The signature is HMAC-SHA256 over timestamp.body', 'hexadecimal or base64', ([first]) => {
    const given = first === undefined ? '' : headerOf(first, 'x-service-signature');
    const encoding = (['hex', 'base64'] as const).find(
      (encoding) => first !== undefined && given.includes(signatureOf(first, encoding)),
    );
    return seen(encoding !== undefined, encoding ?? `another one, of ${given.length} characters`);
  }),
  delivered(
    'The signature is hexadecimal, and the timestamp in seconds',
    'hex, 10 digits',
    ([first]) => {
      const timestamp = first === undefined ? '' : headerOf(first, 'x-service-timestamp');
      const isHex =
        first !== undefined && headerOf(first, 'x-service-signature') === signatureOf(first, 'hex');
      return seen(isHex && /^\d{10}$/.test(timestamp), `${isHex ? 'hex' : 'not hex'}, ${timestamp}`);
    },
    { isAssumed: true },
  ),
];
