import { type Command, InvalidArgumentError } from 'commander';
import { printJson, printLine, printTable } from '../output.js';
import { printResult } from './control.js';
import { createClient, type RemoteOptions, remote, segment } from './remote.js';

interface FaultOptions extends RemoteOptions {
  readonly delivery?: boolean;
  readonly id?: string;
  readonly operation?: string;
  readonly phase?: string;
  readonly event?: string;
  readonly endpoint?: string;
  readonly nth?: number;
  readonly times?: number;
  readonly rate?: number;
  readonly delay?: string;
}

function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number)) throw new InvalidArgumentError('It must be a number.');
  return number;
}

/** Parses a name such as `reset`, a status such as `503`, or JSON such as `{"slow":"3s"}`. */
function parseFault(text: string): unknown {
  if (/^\d{3}$/.test(text)) return { status: Number(text) };
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(
      'It must be a name such as reset, a status such as 503, or a JSON object.',
    );
  }
}

const buildPath = ({ delivery }: FaultOptions) => (delivery === true ? '/delivery-faults' : '/faults');

const withKind = (command: Command): Command =>
  remote(command).option('--delivery', 'use webhook delivery faults instead of request faults');

export function addFaultCommands(program: Command): void {
  const faults = program
    .command('faults')
    .description('simulate failures of requests and webhook deliveries');

  withKind(
    faults
      .command('add')
      .description(
        'add a fault: reset, hang, truncate, garbage, empty, invalid-json, acquirer-unknown, a status such as 503, {"slow":"3s"}; with --delivery: drop, delay, duplicate, reorder, corrupt, old-secret',
      )
      .argument('<fault>', 'the fault to simulate', parseFault)
      .option('--operation <id>', 'affect only this operation, such as payments.create')
      .option(
        '--phase <phase>',
        'when the fault occurs: before-read, before-commit, after-commit or mid-response',
      )
      .option('--event <event>', 'affect only deliveries of this event, such as transaction.paid')
      .option('--endpoint <id>', 'affect only deliveries to this endpoint')
      .option('--nth <number>', 'the first match to affect', parseNumber)
      .option('--times <number>', 'how many matches to affect', parseNumber)
      .option('--rate <probability>', 'affect each match with this probability', parseNumber)
      .option('--delay <duration>', 'how long to wait before the response or the failure')
      .option('--id <id>', 'an id for the fault, so that you can remove it'),
  ).action(async (fault: unknown, options: FaultOptions) => {
    const { url: _, json: __, delivery: ___, timeout: ____, ...rule } = options;
    const response = await createClient(options).request(`POST ${buildPath(options)}`, {
      fault,
      ...rule,
    });
    printResult(options, response, ({ id }) => `fault ${id} waits for what it hits`);
  });

  withKind(faults.command('list').description('list the faults that can still occur')).action(
    async (options: FaultOptions) => {
      const data = await createClient(options).list(`GET ${buildPath(options)}`);
      if (options.json === true) return printJson(data);
      await printOtherKind(options);
      printTable(
        ['id', 'fault', 'hits', 'left', 'where'],
        data.map(({ id, fault, hits, left, operation, phase, event, endpoint }) => [
          id,
          fault,
          hits,
          left,
          [operation ?? event, phase ?? endpoint].join(' '),
        ]),
      );
    },
  );

  withKind(faults.command('remove <id>').description('remove a fault')).action(
    async (id: string, options: FaultOptions) => {
      const response = await createClient(options).request(`DELETE ${buildPath(options)}/${segment(id)}`);
      printResult(options, response, () => `fault ${id} is removed`);
    },
  );

  remote(
    faults
      .command('clear')
      .description('remove all faults, of requests and of webhook deliveries')
      .option('--delivery', 'remove only the webhook delivery faults'),
  ).action(async (options: FaultOptions) => {
    const client = createClient(options);
    const response = await client.request('DELETE /delivery-faults');
    if (options.delivery !== true) await client.request('DELETE /faults');
    printResult(options, response, () =>
      options.delivery === true ? 'the delivery faults are removed' : 'all faults are removed',
    );
  });
}

async function printOtherKind(options: FaultOptions): Promise<void> {
  const other = { ...options, delivery: options.delivery !== true };
  const data = await createClient(options).list(`GET ${buildPath(other)}`);
  const [kind, flag] = other.delivery ? ['delivery', ' --delivery'] : ['request', ''];
  if (data.length > 0)
    printLine(`Not listed: ${data.length} ${kind} fault(s). Run payment-platform faults list${flag}.`);
}
