import { limits, webhookToleranceSeconds } from '../../src/contract/limits.js';
import { isLoopback } from '../../src/contract/patterns.js';
import type { WebhookEndpoint } from '../../src/contract/webhooks/types.js';
import { isError } from '../../src/validation/builtins.js';
import { sign } from '../../src/webhooks/signature.js';
import { verifyAsync } from '../../src/webhooks/verify.js';
import type { Builtins } from './builtins.js';
import { newKey, sampleOrder, sendPayment } from './charge.js';
import { type DoctorCheck, describeError, failed, ok, skipped, warning, within } from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';
import { DoctorReceiver, type RecordedDelivery } from './receiver.js';

const events = ['transaction.waiting_payment', 'transaction.status.updated'] as const;
const noSecret =
  "The endpoint's secret is unknown: set webhookSecret (PAYMENT_PLATFORM_WEBHOOK_SECRET) to its hmac_secret.";
const noChange = 'Nothing was changed.';

export async function* checkWebhook(
  context: DiagnosisContext,
): AsyncGenerator<DoctorCheck, string | undefined> {
  const { platform, options, call } = context;
  const { webhookUrl: url } = options;
  if (url === undefined) return 'Needs webhookUrl (--webhook-url).';
  let endpoints: readonly WebhookEndpoint[];
  try {
    endpoints = (await platform.webhooks.list(call)).data;
  } catch (error) {
    yield failed(
      'webhook.endpoint',
      `The endpoints could not be read: ${describeError(error)}`,
      'Repair that first.',
    );
    return noChange;
  }
  const known = endpoints.find(({ endpoint }) => endpoint === url);
  const receiver = await openReceiver(context, url);
  if (typeof receiver === 'string') {
    yield judgeEndpoint(known, receiver);
    yield await probe(context, url);
    return noChange;
  }
  try {
    yield* receiveDelivery(context, receiver, known, endpoints.length);
  } finally {
    receiver.close();
  }
  return undefined;
}

/**
 * Returns the reason if it cannot listen, or if another receiver listens there: it can have another address
 * of the port, such as `::1`.
 */
async function openReceiver(
  { options, builtins, limit }: DiagnosisContext,
  url: string,
): Promise<DoctorReceiver | string> {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  const own = isLoopback(new URL(url)) ? Number(port) || usual : undefined;
  const local = options.webhookPort ?? own;
  if (local === undefined || builtins === undefined) return `${hostname} is not this process.`;
  if (await isListening(builtins, local, limit)) return `Port ${local} belongs to your own receiver.`;
  try {
    return await DoctorReceiver.start(builtins.http, local, url);
  } catch (error) {
    return `Port ${local} cannot be used (${describeError(error)}).`;
  }
}

async function isListening({ net }: Builtins, port: number, limit: number): Promise<boolean> {
  const connect = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect({ host, port, timeout: limit });
      const end = (result: boolean) => () => {
        resolve(result);
        socket.destroy();
      };
      socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
    });
  return (await Promise.all(['127.0.0.1', '::1'].map(connect))).includes(true);
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

/** Without the secret, only some are possible. */
function createForgeries(body: string, secret: string | undefined): [fault: string, headers: object][] {
  const now = Math.floor(Date.now() / 1_000);
  const own = secret ?? `doctor-${crypto.randomUUID()}`;
  const forgeries: [string, object][] = [
    ['an unsigned delivery', {}],
    ['one with another secret', sign({ body, secret: `${own}-` })],
    ['one with an empty signature', { ...sign({ body, secret: own }), 'x-service-signature': '' }],
  ];
  if (secret !== undefined)
    forgeries.push(
      ['a forged one', sign({ body: `${body} `, secret })],
      // The string that PHP, JavaScript and Python write in the place of a missing header.
      ...['', 'undefined', 'None'].map((timestamp): [string, object] => [
        timestampFaults.missing,
        { 'x-service-signature': sign({ body, secret, timestamp })['x-service-signature'] },
      ]),
      [timestampFaults.tooOld, sign({ body, secret, timestamp: now - 2 * webhookToleranceSeconds })],
      [timestampFaults.tooEarly, sign({ body, secret, timestamp: now + 2 * webhookToleranceSeconds })],
    );
  return forgeries;
}

const timestampFaults = {
  missing: 'one without a timestamp',
  tooOld: 'a ten-minute-old delivery',
  tooEarly: 'one from ten minutes ahead',
};

/** Their event is unknown, so that nothing is handled. */
async function probe({ options, limit, signal }: DiagnosisContext, url: string): Promise<DoctorCheck> {
  const name = 'webhook.delivery';
  const { webhookSecret: secret } = options;
  const body = JSON.stringify({ event: 'doctor.check', id: crypto.randomUUID() });
  const post = async (headers: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0', ...headers },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(limit), signal]),
      redirect: 'manual',
    });
    await response.body?.cancel();
    return response.status;
  };
  try {
    const signed = secret && (await post(sign({ body, secret })));
    if (signed && signed >= 300)
      return failed(
        name,
        `A signed delivery got ${signed}.`,
        'Give the receiver the same secret and the raw body. Check the path.',
      );
    const accepted = new Set<string>();
    for (const [fault, headers] of createForgeries(body, secret))
      if ((await post(headers)) < 300) accepted.add(fault);
    const shown = `The receiver accepted ${[...accepted].join(', ')}.`;
    const ofTimestamp = Object.values(timestampFaults);
    if ([...accepted].some((fault) => !ofTimestamp.includes(fault)))
      return failed(name, shown, 'The receiver does not check signatures: use createReceiver or verify.');
    if (accepted.size > 0)
      return failed(
        name,
        shown,
        `It does not check timestamps: reject a difference above ${webhookToleranceSeconds} s, as createReceiver does.`,
      );
    return secret === undefined
      ? skipped(name, noSecret)
      : ok(name, `A signed delivery got ${signed}. Unsigned, forged and old ones were rejected.`);
  } catch (error) {
    const cause = isError(error) && isError(error.cause) ? error.cause : error;
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
  const { platform, options, secrets, call } = context;
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
      call,
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
  const payment = await sendPayment(context, order, newKey(context));
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

/** The formats of the two headers are undocumented. */
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

/** A platform keeps the endpoint, because the API docs describe no operation for removal. */
async function removeEndpoint(
  { client, baseUrl, limit }: DiagnosisContext,
  id: string,
): Promise<DoctorCheck> {
  const name = 'webhook.cleanup';
  const control = new URL(`/_sandbox/endpoints/${id}`, baseUrl);
  const isSandbox = isLoopback(baseUrl) || baseUrl.hostname.endsWith('.test');
  // The diagnosis can have been ended, so only the time limit ends this request.
  const remove = async () =>
    (await (client.fetch ?? fetch)(control.href, { method: 'DELETE' })).status === 204;
  if (
    isSandbox &&
    (await within(
      limit,
      remove().catch(() => false),
      false,
    ))
  )
    return ok(name, `Endpoint ${id} was removed.`);
  return warning(
    name,
    `Endpoint ${id} stays registered: the API docs describe no operation that removes one.`,
    'Ask the platform to remove it.',
  );
}
