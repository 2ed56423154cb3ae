import pc from 'picocolors';
import { exitCodes, Failure } from '../failure.js';
import { httpUrl } from '../http-url.js';
import { say, sayJson } from '../output.js';
import { oneLine } from '../printable.js';
import { readAtMost } from '../read-at-most.js';
import { webhookSecret } from '../secret.js';
import { withinTime } from '../time-limit.js';
import { usable } from './usable.js';

/** Characters of an answer that are shown. */
const longestAnswer = 500;

/** Bytes of an answer that are read. */
const longestRead = 1_000_000;

/** Sends a signed sample of an event to a receiver, and prints its answer. */
export async function send(
  event: string,
  { to, json, timeout }: { to: string; json?: boolean; timeout: number },
): Promise<void> {
  httpUrl('--to', to);
  const { signedNotification } = await import('../../testing/index.js');
  const secret = await webhookSecret();
  const { body, headers } = usable(
    () => signedNotification(event as 'transaction.paid', { secret }),
    (message) => message.replace(/^samples\.notification: the event/, `'${event}' is not an event: it`),
  );
  const { status, text } = await withinTime(timeout, to, (signal) =>
    posted(to, { method: 'POST', headers, body, redirect: 'manual', signal }),
  );
  const isReceived = status >= 200 && status < 300;
  if (!isReceived) process.exitCode = exitCodes.refused;
  if (json === true) return sayJson({ event, to, status, received: isReceived, answer: text });
  say(`${isReceived ? pc.green('✓') : pc.red('✗')} ${status} ${oneLine(to)}`);
  if (text !== '') say(pc.dim(`  ${oneLine(text.slice(0, longestAnswer))}`));
}

async function posted(url: string, request: RequestInit) {
  try {
    const answer = await fetch(url, request);
    const { bytes } = await readAtMost(answer.body ?? new Blob([]).stream(), longestRead);
    return { status: answer.status, text: bytes.toString() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    throw new Failure(`${url} does not answer: ${inWords(cause)}`, exitCodes.unreachable);
  }
}

/** Of OpenSSL and of the parser of HTTP, what it means for the URL. */
function inWords({ code = '', message }: NodeJS.ErrnoException): string {
  if (/^ERR_SSL_|^EPROTO$/.test(code)) return 'it does not speak TLS as https needs it. Is it http?';
  if (code.startsWith('HPE_')) return 'it does not speak HTTP. Is it https?';
  return message || code;
}
