import { limits, webhookToleranceSeconds } from '../../src/contract/limits.js';
import { isLoopback } from '../../src/contract/patterns.js';
import type { WebhookEndpoint } from '../../src/contract/webhooks/types.js';
import { sign } from '../../src/webhooks/signature.js';
import { verifyAsync } from '../../src/webhooks/verify.js';
import { sampleOrder, sendPayment } from './charge.js';
import { type DoctorCheck, describeError, failed, ok, skipped, warning } from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';
import { DoctorReceiver, type RecordedDelivery } from './receiver.js';

const names = ['webhook.endpoint', 'webhook.delivery', 'webhook.cleanup'] as const;
const events = ['transaction.waiting_payment', 'transaction.status.updated'] as const;
const noSecret =
  "The endpoint's secret is unknown: set webhookSecret (PAYMENT_PLATFORM_WEBHOOK_SECRET) to its hmac_secret.";
const noChange = 'Nothing was changed.';

/** Checks that deliveries reach a URL, and how they are signed. Rolls its changes back. */
export async function* checkWebhook(context: DiagnosisContext): AsyncGenerator<DoctorCheck> {
  const { platform, options, signal } = context;
  const { webhookUrl: url } = options;
  if (url === undefined || signal.aborted) {
    for (const name of names) yield skipped(name, 'Needs webhookUrl (--webhook-url).');
    return;
  }
  let endpoints: readonly WebhookEndpoint[];
  try {
    endpoints = (await platform.webhooks.list({ signal })).data;
  } catch (error) {
    yield failed(names[0], `The endpoints could not be read: ${describeError(error)}`, 'Repair that first.');
    for (const name of names.slice(1)) yield skipped(name, noChange);
    return;
  }
  const known = endpoints.find(({ endpoint }) => endpoint === url);
  const receiver = await openReceiver(context, url);
  if (typeof receiver === 'string') {
    yield judgeEndpoint(known, receiver);
    yield await probe(context, url);
    yield skipped('webhook.cleanup', noChange);
    return;
  }
  try {
    yield* receiveDelivery(context, receiver, known, endpoints.length);
  } finally {
    receiver.close();
  }
}

/** Listens on the URL's port on this machine. Returns the reason if listening fails. */
async function openReceiver(
  { options, builtins }: DiagnosisContext,
  url: string,
): Promise<DoctorReceiver | string> {
  const { hostname, port } = new URL(url);
  const own = isLoopback(new URL(url)) ? Number(port) || 80 : undefined;
  const local = options.webhookPort ?? own;
  if (local === undefined || builtins === undefined) return `${hostname} is not this process.`;
  try {
    return await DoctorReceiver.start(builtins.http, local, url);
  } catch (error) {
    return `Port ${local} belongs to your own receiver (${describeError(error)}).`;
  }
}

function judgeEndpoint(known: WebhookEndpoint | undefined, reason: string): DoctorCheck {
  const name = 'webhook.endpoint';
  if (known === undefined)
    return warning(
      name,
      `The URL is not registered. ${reason}`,
      'Register it with platform.webhooks.create and an hmac_secret.',
    );
  const { id, status, hmac_configured } = known;
  if (!hmac_configured)
    return failed(name, `Endpoint ${id} has no secret.`, 'Set hmac_secret with platform.webhooks.update.');
  return status === 'active'
    ? ok(name, `Endpoint ${id} is active and signs its deliveries.`)
    : failed(name, `Endpoint ${id} is ${status}.`, 'Ask the platform to activate it.');
}

/**
 * Sends the receiver a signed delivery and a forged delivery. Their event is unknown, so that nothing is
 * handled.
 */
async function probe({ options, limit }: DiagnosisContext, url: string): Promise<DoctorCheck> {
  const name = 'webhook.delivery';
  const { webhookSecret: secret } = options;
  if (secret === undefined) return skipped(name, noSecret);
  const body = JSON.stringify({ event: 'doctor.check', id: crypto.randomUUID() });
  const headers = { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' };
  const post = async (signedBody: string) => {
    const signal = AbortSignal.timeout(limit);
    const signed = sign({ body: signedBody, secret });
    const init = { method: 'POST', headers: { ...headers, ...signed }, body, signal } as const;
    const response = await fetch(url, { ...init, redirect: 'manual' });
    await response.body?.cancel();
    return response.status;
  };
  try {
    const [signed, forged] = [await post(body), await post(`${body} `)];
    const shown = `A signed delivery got ${signed}, a forged one ${forged}.`;
    if (signed >= 300)
      return failed(name, shown, 'Give the receiver the same secret and the raw body. Check the path.');
    return forged < 300
      ? failed(name, shown, 'The receiver does not check signatures: use createReceiver or verify.')
      : ok(name, shown);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return failed(
      name,
      `The receiver did not respond: ${describeError(cause)}.`,
      'Start it, and open its port.',
    );
  }
}

async function* receiveDelivery(
  context: DiagnosisContext,
  receiver: DoctorReceiver,
  known: WebhookEndpoint | undefined,
  count: number,
): AsyncGenerator<DoctorCheck> {
  const { platform, options, secrets, signal } = context;
  const skipRest = (reason: string) => [
    skipped('webhook.delivery', reason),
    skipped('webhook.cleanup', noChange),
  ];
  if (options.charge !== true) {
    yield skipped('webhook.endpoint', 'Only a payment causes a delivery: needs charge (--charge).');
    yield* skipRest('Only a payment causes a delivery: needs charge (--charge).');
    return;
  }
  if (known !== undefined) {
    yield judgeEndpoint(known, '');
    if (options.webhookSecret === undefined) yield* skipRest(noSecret);
    else {
      yield await awaitDelivery(context, receiver, options.webhookSecret);
      yield ok('webhook.cleanup', noChange);
    }
    return;
  }
  if (count >= limits.webhookEndpointsPerOrganization) {
    yield failed(
      'webhook.endpoint',
      `${count} endpoints are registered, which is the limit.`,
      'Use the URL of one.',
    );
    yield* skipRest('No endpoint was registered.');
    return;
  }
  const secret = options.webhookSecret ?? `doctor-${crypto.randomUUID()}`;
  secrets.push(secret);
  let endpoint: WebhookEndpoint;
  try {
    endpoint = await platform.webhooks.create(
      { webhook_url: receiver.url, events, hmac_secret: secret },
      { signal },
    );
  } catch (error) {
    yield failed(
      'webhook.endpoint',
      `It could not be registered: ${describeError(error)}`,
      'Correct the URL.',
    );
    yield* skipRest('No endpoint was registered.');
    return;
  }
  try {
    yield ok('webhook.endpoint', `Endpoint ${endpoint.id} was registered for ${receiver.url}.`);
    yield await awaitDelivery(context, receiver, secret);
  } finally {
    yield await removeEndpoint(context, endpoint.id);
  }
}

async function awaitDelivery(
  context: DiagnosisContext,
  receiver: DoctorReceiver,
  secret: string,
): Promise<DoctorCheck> {
  const name = 'webhook.delivery';
  const { limit, signal } = context;
  const order = sampleOrder();
  const payment = await sendPayment(context, order, `doctor-${crypto.randomUUID()}`);
  if (typeof payment === 'string') return skipped(name, `No payment was returned: ${payment}`);
  const isAbout = ({ body }: RecordedDelivery) =>
    body.includes(payment.id) || body.includes(order.externalId ?? '');
  const [delivery] = await receiver.until(1, isAbout, limit, signal);
  if (delivery === undefined)
    return failed(
      name,
      `No delivery arrived within ${limit / 1_000} s (${receiver.deliveries.length} others did).`,
      'Open the way from the platform to the URL. A tunnel must lead to webhookPort (--webhook-port).',
    );
  const { timestamp, signature } = readSignature(delivery);
  try {
    const { event } = await verifyAsync({ body: delivery.bytes, headers: delivery.headers }, secret);
    return ok(
      name,
      `${event} arrived. The signature is valid: ${signature}; the timestamp is in ${timestamp}.`,
    );
  } catch (error) {
    return failed(
      name,
      `A delivery arrived (signature ${signature}, timestamp in ${timestamp}): ${describeError(error)}`,
      `Let gateways pass the body and both headers unchanged, and keep clocks within ${webhookToleranceSeconds} s.`,
    );
  }
}

/** Describes the formats of the two headers, which are undocumented. */
function readSignature({ headers }: RecordedDelivery): { timestamp: string; signature: string } {
  const signature = String(headers['x-service-signature'] ?? '').replace(/^[\w-]+=(?=.)/, '');
  const timestamp = String(headers['x-service-timestamp'] ?? '');
  const isHex = /^[0-9a-f]{64}$/i.test(signature);
  const isBase64 = /^[\w+/-]{43}=?$/.test(signature);
  const isNumber = /^\d+$/.test(timestamp);
  return {
    signature: isHex ? 'hex' : isBase64 ? 'base64' : signature === '' ? 'missing' : 'unknown',
    timestamp: isNumber
      ? Number(timestamp) > 1e11
        ? 'milliseconds'
        : 'seconds'
      : timestamp === ''
        ? 'no header'
        : 'ISO 8601 or another form',
  };
}

/**
 * Removes the endpoint from a sandbox. A platform keeps it, because the API docs have no endpoint for
 * removal.
 */
async function removeEndpoint({ client, baseUrl }: DiagnosisContext, id: string): Promise<DoctorCheck> {
  const name = 'webhook.cleanup';
  const control = new URL(`/_sandbox/endpoints/${id}`, baseUrl);
  const isSandbox = isLoopback(baseUrl) || baseUrl.hostname.endsWith('.test');
  const remove = async () =>
    (await (client.fetch ?? fetch)(control.href, { method: 'DELETE' })).status === 204;
  if (isSandbox && (await remove().catch(() => false))) return ok(name, `Endpoint ${id} was removed.`);
  return warning(
    name,
    `Endpoint ${id} stays registered: the API docs have no call that removes one.`,
    'Ask the platform to remove it.',
  );
}
