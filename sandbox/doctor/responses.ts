import { webhookToleranceSeconds } from '../../src/contract/limits.js';
import { type DoctorCheck, failed, findCode, ok, skipped, warning } from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';
import { noteRequestIdHeader } from './drift.js';
import type { Exchange, Tap } from './tap.js';

const readCount = 10;
/** In seconds. A request can take that long. */
const ordinaryOffset = 5;
/** In milliseconds, for the 90th percentile. */
const slowRead = 3_000;

export async function* checkResponses(
  context: DiagnosisContext,
): AsyncGenerator<DoctorCheck, string | undefined> {
  const { tapped, client, call } = context;
  if (typeof tapped === 'string') return tapped;
  const { tap, platform } = tapped;
  const before = tap.exchanges.length;
  const resets = tap.resets;
  const read = () =>
    platform.request({ method: 'GET', path: '/v1/webhooks', response: 'none' }, { ...call, maxRetries: 0 });
  for (let count = 0, isLate = false; count < readCount && !isLate; count++)
    isLate = await read().then(
      () => false,
      // Further reads would wait in vain as well.
      (error) => ['timeout', 'aborted'].includes(findCode(error) ?? ''),
    );
  const exchanges = tap.exchanges.slice(before);
  if (exchanges.length === 0) return 'The platform returned no complete response.';
  noteRequestIdHeader(context, [...new Set(exchanges.flatMap(({ headers }) => Object.keys(headers)))]);
  yield checkVersion(exchanges);
  yield checkClock(exchanges, client.fetch !== undefined);
  yield checkEncoding(exchanges);
  yield checkRateLimits(exchanges);
  yield checkLatency(exchanges);
  yield checkKeepAlive(exchanges, tap, resets);
  return undefined;
}

const readHeader = (exchanges: readonly Exchange[], name: string): string | undefined =>
  exchanges.find(({ headers }) => headers[name] !== undefined)?.headers[name];

function checkVersion(exchanges: readonly Exchange[]): DoctorCheck {
  const versions = [...new Set(exchanges.map(({ httpVersion }) => httpVersion))];
  const servers = [readHeader(exchanges, 'server'), readHeader(exchanges, 'via')].filter(Boolean);
  const by = servers.length === 0 ? '' : `, by ${servers.join(', ')}`;
  if (versions.includes(undefined)) return skipped('http', 'The client has its own fetch, which hides it.');
  if (versions.includes('1.0'))
    return warning(
      'http',
      `HTTP/1.0${by}: every request opens a connection.`,
      'Set HTTP/1.1 in the gateway, in nginx with proxy_http_version 1.1.',
    );
  return ok('http', `HTTP/${versions.join(', HTTP/')}${by}.`);
}

/** Two clocks that differ do not show which one is wrong. */
const compareClock =
  "Compare this machine's clock with a time server. If it is right, leave it, and report the platform's clock.";

function checkClock(exchanges: readonly Exchange[], hasOwnFetch: boolean): DoctorCheck {
  const offsets = exchanges
    // The Date header contains whole seconds, rounded down. A gateway's second Date header is joined to the
    // first.
    .map(({ headers, time }) => {
      const [date = ''] = (headers.date ?? '').split(/(?<=GMT), /);
      return Date.parse(date) / 1_000 - Math.floor(time / 1_000);
    })
    .filter((offset) => !Number.isNaN(offset))
    .sort((one, other) => one - other);
  const offset = offsets[Math.floor(offsets.length / 2)];
  if (offset === undefined && hasOwnFetch)
    return skipped('clock', "The responses of the client's own fetch have no date header.");
  if (offset === undefined)
    return failed(
      'clock',
      'No response has a date header, so the clocks cannot be compared.',
      'A gateway removes it: let it pass. Dates in Retry-After are read against it.',
    );
  const shown =
    offset === 0
      ? 'This machine and the platform have the same time.'
      : `The platform's clock is ${Math.abs(offset)} s ${offset > 0 ? 'ahead of' : 'behind'} this machine's.`;
  if (Math.abs(offset) > webhookToleranceSeconds)
    return failed(
      'clock',
      `${shown} Deliveries are rejected beyond ${webhookToleranceSeconds} s.`,
      compareClock,
    );
  return Math.abs(offset) > ordinaryOffset
    ? warning('clock', `${shown} Signatures allow ${webhookToleranceSeconds} s.`, compareClock)
    : ok('clock', shown);
}

function checkEncoding(exchanges: readonly Exchange[]): DoctorCheck {
  const type = readHeader(exchanges, 'content-type') ?? 'no content type';
  const coding = readHeader(exchanges, 'content-encoding') ?? 'none';
  const shown = `${type}, content encoding ${coding}.`;
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset) || !exchanges.every(({ body }) => isUtf8(body)))
    return failed(
      'encoding',
      `The body is not UTF-8: ${shown}`,
      'A gateway converts it. Turn the conversion off: names lose their accents, and signatures break.',
    );
  if (!/\bjson\b/i.test(type))
    return failed(
      'encoding',
      `The body is not JSON: ${shown}`,
      'Something other than the platform responds. Check the base address and the gateway.',
    );
  if (!['none', 'identity', 'gzip', 'x-gzip', 'br', 'deflate'].includes(coding))
    return failed('encoding', `Not every runtime decodes the content encoding: ${shown}`, 'Use gzip or br.');
  return ok('encoding', shown);
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

function checkRateLimits(exchanges: readonly Exchange[]): DoctorCheck {
  const limited = exchanges.filter(({ status }) => status === 429).length;
  const found = new Map(exchanges.flatMap(({ headers }) => Object.entries(headers)));
  const shown = [...found]
    .filter(([name]) => /rate-?limit|^retry-after$/.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  const headers = shown.length === 0 ? 'No rate limit headers.' : `${shown.join(', ')}.`;
  return limited > 0
    ? warning('rate-limits', `${limited} of ${exchanges.length} reads got 429. ${headers}`, 'Run it later.')
    : ok('rate-limits', headers);
}

function checkLatency(exchanges: readonly Exchange[]): DoctorCheck {
  const durations = exchanges.map(({ duration }) => duration).sort((one, other) => one - other);
  const at = (part: number) =>
    Math.round(durations[Math.min(durations.length - 1, Math.floor(durations.length * part))] ?? 0);
  const shown = `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, slowest ${at(1)} ms of ${durations.length} reads.`;
  return at(0.9) > slowRead
    ? warning('latency', shown, "Keep the client's timeout well above it: the default is 30 s.")
    : ok('latency', shown);
}

function checkKeepAlive(exchanges: readonly Exchange[], { resets }: Tap, before: number): DoctorCheck {
  const name = 'keep-alive';
  const cut = resets - before;
  const reused = exchanges.filter(({ isReused }) => isReused).length;
  const closes = exchanges.some(({ headers }) => /\bclose\b/i.test(headers.connection ?? ''));
  const shown = `${reused} of ${exchanges.length} requests reused a connection.`;
  if (exchanges[0]?.isReused === undefined)
    return skipped(name, 'The client has its own fetch, which hides its connections.');
  if (cut > 0)
    return failed(
      name,
      `${cut} kept connections were cut under a request. ${shown}`,
      'Let the gateway keep idle connections longer than its clients do, or send Connection: close.',
    );
  if (exchanges.some(({ httpVersion }) => httpVersion === '1.0'))
    return warning(
      name,
      `HTTP/1.0 closes the connection after each response. ${shown}`,
      'Set HTTP/1.1 in the gateway: each payment pays for a new handshake.',
    );
  if (closes)
    return warning(
      name,
      `The server closes the connection after a response. ${shown}`,
      'Turn keep-alive on in the gateway: each payment pays for a new handshake.',
    );
  if (reused === 0)
    return failed(
      name,
      `Connections are cut after each response, without Connection: close. ${shown}`,
      'Turn keep-alive on in the gateway, or let it announce the close.',
    );
  return ok(name, shown);
}
