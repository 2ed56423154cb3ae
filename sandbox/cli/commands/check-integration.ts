import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { exitCodes, Failure, reportAsMistake } from '../failure.js';
import { httpUrl } from '../http-url.js';
import type { JourneyResult } from '../integration-check/check-integration.js';
import { readShop, shopDefaults } from '../integration-check/read-shop.js';
import { integer } from '../numbers.js';
import { printJson, printLine, resultMarks } from '../output.js';
import { readWebhookSecret, secretVariable } from '../secret.js';
import { createClient, type RemoteOptions, remote } from './remote.js';

interface CheckOptions extends RemoteOptions {
  readonly shop: string;
  readonly amount: number;
  readonly pix?: string;
  readonly card?: string;
  readonly boleto?: string;
  readonly state: string;
  readonly id: string;
  readonly paid: string;
  readonly refunded?: string;
  readonly webhook: string;
  readonly queued?: boolean;
  readonly header: readonly string[];
}

const help = `
Start the sandbox and the shop, with the sandbox's address, and let nobody else use them meanwhile.
The check orders, pays, loses responses, and delivers webhooks signed with ${secretVariable},
which must be the shop's secret. A request is a method, a path and JSON. {order} becomes an id that
the shop should accept as the order's own, {id} the id in its response, {cardToken} or {cardNumber}
a test card.
Let the state of an order count its effects, such as shipments: only then a second one is found.
Exit codes: 0 each journey holds, ${exitCodes.rejected} one does not, ${exitCodes.usage} wrong arguments.`;

export function addCheckIntegrationCommand(program: Command): void {
  remote(
    program
      .command('check-integration')
      .description('check how your shop charges and handles webhooks, against a running sandbox')
      .requiredOption('--shop <url>', "the shop's address")
      .requiredOption('--amount <cents>', 'the price of each order', integer)
      .option('--pix <request>', 'the request that orders with Pix')
      .option('--card <request>', 'the request that orders with a card')
      .option('--boleto <request>', 'the request that orders with a boleto')
      .option('--state <request>', "the request that returns an order's state as JSON", shopDefaults.state)
      .option('--id <path>', "the field of the order's id in the response to an order", shopDefaults.id)
      .option('--paid <condition>', 'the state of a paid order', shopDefaults.paid)
      .option('--refunded <condition>', 'the state of a refunded order; by default, one that is not paid')
      .option('--webhook <path>', 'the path of the webhook route', shopDefaults.webhook)
      .option('--queued', 'the shop records events in a queue, and handles them after its response')
      .addOption(
        new Option('--header <name: value>', 'a header for orders and states; repeatable')
          .argParser((value: string, all: readonly string[]) => [...all, value])
          .default([], 'none'),
      ),
    '30s',
  )
    .addHelpText('after', help)
    .action(check);
}

async function check(options: CheckOptions): Promise<void> {
  const { checkIntegration } = await import('../integration-check/check-integration.js');
  const { json = false, amount, queued = false } = options;
  httpUrl('--shop', options.shop);
  const description = reportAsMistake(
    () => readShop(options),
    (message) => `--${message}`,
  );
  const secret = await readWebhookSecret();
  const client = createClient(options);
  await client.request('GET /info');
  const settings = { ...description, amount, isQueued: queued, secret };
  const interruption = new AbortController();
  const reason = new Failure('The check was interrupted. The endpoints are active again.');
  // A second Ctrl-C ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interruption.abort(reason));
  const onResult = json ? undefined : print;
  const results = await checkIntegration(client, settings, { onResult, signal: interruption.signal });
  const failed = results.filter(({ status }) => status === 'failed');
  if (json) printJson({ ok: failed.length === 0, journeys: results });
  else
    printLine(`\n${count(results, 'ok')} ok, ${failed.length} failed, ${count(results, 'skipped')} skipped`);
  if (failed.length > 0) process.exitCode = exitCodes.rejected;
}

const count = (results: readonly JourneyResult[], wanted: JourneyResult['status']) =>
  results.filter(({ status }) => status === wanted).length;

function print({ name, status, message, problems, page }: JourneyResult): void {
  printLine(`${resultMarks[status]} ${name.padEnd(21)} ${message}`);
  const indent = ' '.repeat(10);
  for (const problem of problems) printLine(`${indent}${problem}`);
  if (problems.length > 0) printLine(`${indent}${pc.dim(`→ docs/${page}.md`)}`);
}
