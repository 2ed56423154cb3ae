import pc from 'picocolors';
import { exitCodes, Failure } from '../failure.js';
import { httpUrl } from '../http-url.js';
import { say, sayJson } from '../output.js';
import { oneLine } from '../printable.js';
import { webhookSecret } from '../secret.js';
import { usable } from './usable.js';

/** Characters of an answer that are shown. */
const longestAnswer = 500;

/** Sends a signed sample of an event to a receiver, and prints its answer. */
export async function send(event: string, { to, json }: { to: string; json?: boolean }): Promise<void> {
  httpUrl('--to', to);
  const { signedNotification } = await import('../../testing/index.js');
  const secret = await webhookSecret();
  const { body, headers } = usable(
    () => signedNotification(event as 'transaction.paid', { secret }),
    (message) => message.replace(/^samples\.notification: the event/, `'${event}' is not an event: it`),
  );
  const { status, text } = await posted(to, body, headers);
  const isReceived = status >= 200 && status < 300;
  if (!isReceived) process.exitCode = exitCodes.refused;
  if (json === true) return sayJson({ event, to, status, received: isReceived, answer: text });
  say(`${isReceived ? pc.green('✓') : pc.red('✗')} ${status} ${oneLine(to)}`);
  if (text !== '') say(pc.dim(`  ${oneLine(text.slice(0, longestAnswer))}`));
}

async function posted(url: string, body: string, headers: Readonly<Record<string, string>>) {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    throw new Failure(`${url} does not answer: ${cause.message}`, exitCodes.unreachable);
  }
}
