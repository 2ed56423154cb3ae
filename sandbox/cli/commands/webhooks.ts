import type { Command } from 'commander';
import pc from 'picocolors';
import { exitCodes, Failure } from '../failure.js';
import { collectField, fieldHelp } from '../fields.js';
import { integer, parseTime, port } from '../numbers.js';
import { printFacts, printJson, printLine } from '../output.js';
import { escapeHarmful } from '../printable.js';
import { readFile } from '../read-file.js';
import { readWebhookSecret, secretVariable } from '../secret.js';
import { timeoutOption } from '../time-limit.js';
import { listen } from './listen.js';
import { type RemoteOptions, remote } from './remote.js';
import { type SendOptions, send } from './send.js';

export function addWebhookCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('receive, send and check webhooks')
    .addHelpText(
      'after',
      `\nThe commands read the secret from ${secretVariable}. If it is not set, \`send\` and \`verify\` ask for the secret in a terminal.\nNever pass the secret as an argument.`,
    );

  remote(
    webhooks
      .command('listen')
      .description('receive, verify, print and forward the webhooks of a running sandbox')
      .option('--forward <url>', 'the URL of your receiver, which gets the body of each delivery unchanged')
      .option('--skip-verify', 'accept any certificate from the receiver, such as a self-signed one')
      .option('--port <number>', 'the port to listen on; 0 selects a free port', port, 0),
  ).action((options: RemoteOptions & { forward?: string; skipVerify?: boolean; port: number }) =>
    listen(options),
  );

  webhooks
    .command('send [event]')
    .description('send a signed sample to a receiver, with a new id by default')
    .requiredOption('--to <url>', "the receiver's URL")
    .option('--id <id>', "the payment's id")
    .option('--external-reference <text>', "the order's externalId")
    .option('--amount <cents>', 'the amount in cents', integer)
    .option('--field <name=value>', fieldHelp, collectField, [])
    .option('--file <file>', 'a JSON file with the payload to send instead of the sample')
    .option('--json', 'print the response as JSON, on one line')
    .addOption(timeoutOption('30s'))
    .action((event: string | undefined, options: SendOptions) => send(event, options));

  webhooks
    .command('verify')
    .description('check a recorded delivery, and say which check fails')
    .requiredOption('--body <file>', 'a file with the body, exactly as it arrived')
    .requiredOption('--headers <file>', 'a file with the headers, as `name: value` lines or as a JSON object')
    .option('--now <time>', 'the time when the delivery arrived; by default, now')
    .option('--json', 'print the outcome as JSON, on one line')
    .action(verifyFiles);
}

async function verifyFiles(options: { body: string; headers: string; now?: string; json?: boolean }) {
  const body = await readFile('--body', options.body);
  const headers = readHeaders((await readFile('--headers', options.headers)).toString());
  const at = options.now === undefined ? Date.now() : parseTime('--now', options.now).getTime();
  const { verify, WebhookVerificationError } = await import('../../../src/webhooks/index.js');
  const secret = await readWebhookSecret();
  try {
    const event = verify({ body, headers }, { secret, now: () => at });
    if (options.json === true) return printJson({ valid: true, event: event.event });
    printLine(`${pc.green('✓')} valid: ${escapeHarmful(event.event)}`);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const { reason, message } = error;
    process.exitCode = exitCodes.rejected;
    if (options.json === true) return printJson({ valid: false, reason, message });
    printLine(`${pc.red('✗')} ${reason}`);
    printLine(escapeHarmful(message));
    printLine();
    printFacts({
      'body, bytes': body.length,
      'x-service-timestamp': headers['x-service-timestamp'] ?? '(missing)',
      'x-service-signature': headers['x-service-signature'] ?? '(missing)',
      'checked at': new Date(at).toISOString(),
    });
  }
}

/** Accepts lines `name: value`, as `curl -i` prints them, or a JSON object. */
function readHeaders(text: string): Record<string, string> {
  const entries = text.trimStart().startsWith('{') ? fromJson(text) : fromLines(text);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function fromJson(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure('The headers begin like a JSON object and are not JSON.');
  }
  return Object.entries(value as object).map(([name, entry]) => [name, String(entry)]);
}

function fromLines(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}
