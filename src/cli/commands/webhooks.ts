import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import pc from 'picocolors';
import { exitCodes, Failure } from '../failure.js';
import { port } from '../numbers.js';
import { facts, say, sayJson } from '../output.js';
import { printable } from '../printable.js';
import { readAtMost } from '../read-at-most.js';
import { secretVariable, webhookSecret } from '../secret.js';
import { timeOf } from '../time.js';
import { timeoutOption } from '../time-limit.js';
import { listen } from './listen.js';
import { readHeaders } from './read-headers.js';
import { type RemoteOptions, remote } from './remote.js';
import { send } from './send.js';

/** `payment-platform webhooks` */
export function addWebhookCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('receive, send and check webhooks')
    .addHelpText(
      'after',
      `\nThe secret is that of ${secretVariable}, or asked for. Never give it as an argument.`,
    );

  remote(
    webhooks
      .command('listen')
      .description('receive the webhooks of a running sandbox: verify, print, forward')
      .option('--forward <url>', 'your receiver, which gets each delivery unchanged')
      .option('--port <number>', 'where it listens on this machine; 0 for a free one', port, 0),
  ).action((options: RemoteOptions & { forward?: string; port: number }) => listen(options));

  webhooks
    .command('send <event>')
    .description('send a signed sample to a receiver')
    .requiredOption('--to <url>', 'the receiver')
    .option('--json', 'print the answer as JSON, on one line')
    .addOption(timeoutOption('30s'))
    .action((event: string, options: { to: string; json?: boolean; timeout: number }) =>
      send(event, options),
    );

  webhooks
    .command('verify')
    .description('tell which check of a delivery fails')
    .requiredOption('--body <file>', 'the body, exactly as it came')
    .requiredOption('--headers <file>', 'the headers: lines `name: value`, or a JSON object')
    .option('--now <time>', 'the time of its arrival; default: now')
    .option('--json', 'print the outcome as JSON, on one line')
    .action(verifyFiles);
}

async function verifyFiles(options: { body: string; headers: string; now?: string; json?: boolean }) {
  const body = await read('--body', options.body);
  const headers = readHeaders((await read('--headers', options.headers)).toString());
  const at = options.now === undefined ? Date.now() : timeOf('--now', options.now).getTime();
  const { verify, WebhookVerificationError } = await import('../../webhooks/index.js');
  const secret = await webhookSecret();
  try {
    const event = verify({ body, headers }, { secret, now: () => at });
    if (options.json === true) return sayJson({ valid: true, event: event.event });
    say(`${pc.green('✓')} valid: ${printable(event.event)}`);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const { reason, message } = error;
    process.exitCode = exitCodes.refused;
    if (options.json === true) return sayJson({ valid: false, reason, message });
    say(`${pc.red('✗')} ${reason}`);
    say(printable(message));
    say();
    facts({
      'body, bytes': body.length,
      'x-service-timestamp': headers['x-service-timestamp'] ?? '(missing)',
      'x-service-signature': headers['x-service-signature'] ?? '(missing)',
      'checked at': new Date(at).toISOString(),
    });
  }
}

/** Bytes. As many as a receiver takes. */
const longestFile = 1_000_000;

async function read(option: string, path: string): Promise<Buffer> {
  const unreadable = (why: string) =>
    new Failure(`${option} ${path} cannot be read: ${why}.`, exitCodes.usage);
  let file: Awaited<ReturnType<typeof readAtMost>>;
  try {
    file = await readAtMost(createReadStream(path), longestFile);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unreadable(whyUnreadable[code] ?? message);
  }
  if (!file.isWhole) throw unreadable('it has more than 1 MB, and a receiver takes no more');
  return file.bytes;
}

/** By the code of the error. */
const whyUnreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
};
