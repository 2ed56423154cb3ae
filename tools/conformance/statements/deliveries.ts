import type { DoctorReceiver, RecordedDelivery } from '../../../sandbox/doctor/receiver.js';
import { type Api, newKey } from '../api.js';
import type { Statement } from '../statement.js';
import { pix } from './payment-bodies.js';

export const secret = 'conformance-secret-0123456789';

const events = ['transaction.waiting_payment', 'transaction.status.updated'];

/** Returns the receiver's endpoint, and registers it first if necessary. */
export async function ensureEndpoint(
  api: Api,
  receiver: DoctorReceiver,
): Promise<{ id: string; endpoint: string; events: string[] }> {
  const { body } = await api.send('GET /v1/webhooks');
  const known = body?.data?.find(({ endpoint }: { endpoint: string }) => endpoint === receiver.url);
  if (known !== undefined) return known;
  const registration = { webhook_url: receiver.url, events, hmac_secret: secret };
  return (await api.send('POST /v1/webhooks', { body: registration })).body;
}

/** Creates a payment and returns its deliveries. */
export async function payForDeliveries(
  [api, receiver]: Parameters<Statement['check']>,
  more: object = {},
  hmac_secret: string | null = secret,
): Promise<RecordedDelivery[]> {
  if (receiver === undefined) return [];
  const { id } = await ensureEndpoint(api, receiver);
  await api.send(`PUT /v1/webhooks/${id}`, { body: { hmac_secret } });
  const { body: payment } = await api.send('POST /v1/payments', { key: newKey(), body: pix(more) });
  return receiver.until(2, ({ body: text }) => text.includes(payment?.id), 60_000);
}
