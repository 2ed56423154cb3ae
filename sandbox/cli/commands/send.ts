import { randomUUID } from 'node:crypto';
import pc from 'picocolors';
import { exitCodes, Failure, reportAsMistake } from '../failure.js';
import { type Field, withFields } from '../fields.js';
import { httpUrl, shownUrl } from '../http-url.js';
import { printJson, printLine } from '../output.js';
import { oneLine } from '../printable.js';
import { readAtMost, readJsonFile } from '../read-file.js';
import { readWebhookSecret } from '../secret.js';
import { withinTime } from '../time-limit.js';

/** In characters. */
const longestPrinted = 500;

/** In bytes. */
const longestRead = 1_000_000;

export interface SendOptions {
  readonly to: string;
  readonly id?: string;
  readonly externalReference?: string;
  readonly amount?: number;
  readonly field: readonly Field[];
  readonly file?: string;
  readonly json?: boolean;
  readonly timeout: number;
}

export async function send(value: string | undefined, options: SendOptions): Promise<void> {
  const { to, json, timeout } = options;
  httpUrl('--to', to);
  const { signedNotification } = await import('../../testing/index.js');
  const newId = randomUUID();
  const payload = await readPayload(value, options, newId);
  const { event, id } = payload;
  const secret = await readWebhookSecret();
  const { body, headers } = reportAsMistake(() => signedNotification(payload, { secret }));
  const { status, text } = await withinTime(timeout, shownUrl(to), (signal) =>
    posted(to, { method: 'POST', headers, body, redirect: 'manual', signal }),
  );
  const isReceived = status >= 200 && status < 300;
  if (!isReceived) process.exitCode = exitCodes.rejected;
  if (json === true) return printJson({ event, id, to, status, received: isReceived, response: text });
  printLine(`${isReceived ? pc.green('✓') : pc.red('✗')} ${status} ${shownUrl(to)}`);
  if (text !== '') printLine(pc.dim(`  ${oneLine(text.slice(0, longestPrinted))}`));
  if (id === newId && options.externalReference !== undefined)
    printLine(
      `${pc.yellow('!')} The id ${newId} is new, and no payment has it. Pass --id to name the order's payment.`,
    );
}

async function readPayload(
  event: string | undefined,
  options: SendOptions,
  newId: string,
): Promise<{ event: string; id?: unknown }> {
  const { id, externalReference, amount, field } = options;
  const base = await readBase(event, options.file, newId);
  const named = Object.entries({ id, externalReference, amount }).filter(([, value]) => value !== undefined);
  const fields = [...named.map(([name, value]) => ({ path: [name], value })), ...field];
  return withFields(base, fields) as { event: string };
}

async function readBase(event: string | undefined, file: string | undefined, newId: string): Promise<object> {
  if (file !== undefined) {
    const payload = await readJsonFile('--file', file);
    if (typeof payload.event !== 'string' || (event !== undefined && event !== payload.event)) {
      throw new Failure(`--file ${file} must have the field event${event ? `: "${event}"` : ''}.`);
    }
    return payload;
  }
  if (event === undefined) throw new Failure('Name an event, or a payload with --file.');
  const { samples } = await import('../../testing/index.js');
  return reportAsMistake(
    () =>
      samples.notification(event as 'transaction.paid', {
        id: newId,
        notificationId: randomUUID(),
        createdAt: new Date().toISOString(),
      }),
    (message) => message.replace(/^samples\.notification: the event/, `'${event}' is not an event: it`),
  );
}

async function posted(url: string, request: RequestInit) {
  try {
    const response = await fetch(url, request);
    const { bytes } = await readAtMost(response.body ?? new Blob([]).stream(), longestRead);
    return { status: response.status, text: bytes.toString() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    throw new Failure(`${shownUrl(url)} does not respond: ${explainError(cause)}`, exitCodes.unreachable);
  }
}

function explainError({ code = '', message }: NodeJS.ErrnoException): string {
  if (/^ERR_SSL_|^EPROTO$/.test(code)) return 'it does not speak TLS as https needs it. Is it http?';
  if (code.startsWith('HPE_')) return 'it does not speak HTTP. Is it https?';
  if (message === 'bad port')
    return 'fetch connects to no port that another protocol uses. Choose another port';
  return message || code;
}
