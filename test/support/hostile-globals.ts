import { isPaymentPlatformError, PaymentPlatform } from 'payment-platform';
import { verify } from 'payment-platform/webhooks';
import { pix } from './payments.js';

/**
 * Makes calls after the process's prototypes have been polluted, and prints each call's result. The script
 * has its
 * own process, because neither a test runner nor a server would survive the pollution.
 */
const [engine = '', platformUrl = '', evilUrl = ''] = process.argv.slice(2);

/** The platform's response in this test, which echoes the request. */
interface Echo {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const readEcho = (result: unknown) => (result as { echo?: Echo }).echo;

const client = () =>
  new PaymentPlatform({
    baseUrl: platformUrl,
    clientId: 'merchant-1',
    clientSecret: 'sk_live_canary_4f9a1c',
    timeout: 3_000,
    maxRetries: 0,
    ...(engine === 'ky' && { fetch: globalThis.fetch }),
  });
const calm = client();
const expected = new Set(Object.keys(readEcho(await calm.payments.create(pix))?.headers ?? {}));
// Node's fetch reads a referrer from Object.prototype, whatever its options.
expected.add('referer');

const names = [
  'prefixUrl headers searchParams json body hooks method retry timeout throwHttpErrors fetch context signal duplex',
  'redirect referrer mode credentials cache integrity keepalive priority window dispatcher onDownloadProgress',
  'onUploadProgress parseJson stringifyJson host hostname port path protocol socketPath auth agent defaultPort',
  'localAddress lookup family createConnection setHost servername rejectUnauthorized insecureHTTPParser',
  'maxHeaderSize baseUrl clientId clientSecret oauth fieldNames rateLimit maxRetries idempotencyKey extraBody form',
  'params query issues checkBeforeSending mayHaveRunBefore result answer kind final stale status wait cause outcome secret tolerance now',
  'headerNames value limiter content key auth toJSON size type name start end',
].flatMap((list) => list.split(' '));

const values: [string, unknown][] = [
  ['an address', evilUrl],
  ['a text', 'polluted'],
  ['an object', { 'x-evil': '1', host: 'evil.example', 'idempotency-key': 'x' }],
];

/** Returns the number of requests that have reached the platform. */
const arrived = async () => Number(await (await globalThis.fetch(`${platformUrl}/count`)).text());

const report: { name: string; value: string; what: string }[] = [];
/** Defines a name on Object.prototype while the work runs. */
async function polluted(name: string, value: unknown, work: () => Promise<unknown>): Promise<unknown> {
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  try {
    return await work();
  } catch (error) {
    return error;
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

/**
 * Resolves to whether this name changes a request or response of the runtime's own fetch, without this
 * package.
 */
async function isOutOfHand(name: string, value: unknown): Promise<boolean> {
  const init = Object.assign(Object.create(null), { method: 'POST', body: 'fail', headers: [] });
  const response = await polluted(name, value, () => globalThis.fetch(`${platformUrl}/v1/payments`, init));
  if (!(response instanceof Response) || response.status !== 500) return true;
  return readEcho(await response.json())?.path !== '/v1/payments';
}

/** Names that make node:http itself end the process. */
const fatal = engine === 'node' ? ['signal'] : [];

for (const name of new Set(names.filter((one) => !fatal.includes(one)))) {
  for (const [kind, value] of values) {
    const record = (what: string) => void report.push({ name, value: kind, what });
    const check = (result: unknown) => {
      const echo = readEcho(result);
      if (echo === undefined) return record('an answer of somebody else');
      if (echo.path !== '/v1/payments') record(`sent to ${echo.path}`);
      if (echo.headers['x-idempotency-key'] !== 'order-1042') record('another key');
      const added = Object.keys(echo.headers).filter((header) => !expected.has(header));
      if (added.length > 0) record(`more headers: ${added.join(', ')}`);
    };
    if (engine === 'ky' && (await isOutOfHand(name, value))) continue;
    for (const make of [() => calm, client]) {
      const options = { idempotencyKey: 'order-1042' };
      const result = await polluted(name, value, () => make().payments.create(pix, options));
      if (!(result instanceof Error)) check(result);
      else if (!isPaymentPlatformError(result)) record(`raw ${result}`);
      // A pollution must not turn a failed call into a success.
      const failing = { ...pix, externalId: 'fail' };
      const before = await arrived();
      const failed = await polluted(name, value, () => make().payments.create(failing, options));
      if (!isPaymentPlatformError(failed)) record(`a failure that became ${String(failed).slice(0, 200)}`);
      else if (failed.outcome === 'not-executed' && (await arrived()) > before + 1)
        record(`a false not-executed: ${failed.message}`);
      else if (failed.body !== undefined) check(failed.body);
    }
    const delivery = { body: '{"event":"x"}', headers: {} };
    const checked = await polluted(name, value, async () => verify(delivery, {} as never));
    if (!isPaymentPlatformError(checked)) record(`verify: ${String(checked).slice(0, 200)}`);
  }
}

Object.freeze(Error.prototype);
Object.freeze(TypeError.prototype);
const error = await calm.payments.create({ ...pix, externalId: 'fail' }).catch((thrown: unknown) => thrown);
if (!isPaymentPlatformError(error) || error.outcome !== 'unknown' || error.idempotencyKey === undefined)
  report.push({ name: 'Error.prototype', value: 'frozen', what: String(error) });

process.stdout.write(JSON.stringify({ tried: names.length * values.length, report }));
process.exit(0);
