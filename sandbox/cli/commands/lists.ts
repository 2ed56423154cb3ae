import type { Command } from 'commander';
import type { ControlClient, ControlResponse } from '../control-client.js';
import { printFacts, printJson, printTable } from '../output.js';
import { followJournal } from './follow-journal.js';
import { createClient, type RemoteOptions, remote } from './remote.js';

export interface ListOptions extends RemoteOptions {
  readonly limit?: string;
  readonly status?: string;
  readonly state?: string;
}

export const withLimit = (command: Command): Command =>
  remote(command).option('--limit <number>', 'how many of the newest items to list, at most 1000', '20');

export function list(
  client: ControlClient,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<ControlResponse[]> {
  const value = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return client.list(`GET ${path}?${new URLSearchParams(value)}`);
}

/** As JSON, or as a table of these fields. */
function printRecords(
  records: readonly ControlResponse[],
  fields: readonly string[],
  { json }: RemoteOptions,
): void {
  const rows = records.map((record) => fields.map((field) => record[field]));
  if (json === true) printJson(records);
  else printTable(fields, rows);
}

export function addListCommands(program: Command): void {
  remote(
    program.command('status').description("show the sandbox's time, merchants and number of records"),
  ).action(async (options: RemoteOptions) => {
    const response = await createClient(options).request('GET /info');
    if (options.json === true) return printJson(response);
    const { now, frozen, merchants, counts } = response;
    const clientIds = (merchants as { clientId: string }[]).map(({ clientId }) => clientId);
    printFacts({
      page: `${createClient(options).url}/_sandbox/`,
      clock: `${now}${frozen === true ? ', which only `advance` moves' : ''}`,
      merchants: clientIds.join(', '),
      ...(counts as ControlResponse),
    });
  });

  withLimit(
    program.command('onboarding').description('list the newest registrations of sub-accounts'),
  ).action(async (options: ListOptions) => {
    const { limit } = options;
    const registrations = await list(createClient(options), '/onboarding', { limit });
    const shown = ['registration_id', 'kind', 'status', 'can_resubmit', 'internalId', 'reason'];
    printRecords(registrations, shown, options);
  });

  withLimit(program.command('deliveries').description('list the newest webhook deliveries'))
    .option('--state <state>', 'list only deliveries in this state: pending, delivered or failed')
    .action(async (options: ListOptions) => {
      const { limit, state } = options;
      const deliveries = await list(createClient(options), '/deliveries', { limit, state });
      const shown = ['id', 'event', 'state', 'attempts', 'status', 'url', 'error'];
      printRecords(deliveries, shown, options);
    });

  withLimit(program.command('journal').description('list the newest requests that the sandbox received'))
    .option('--follow', 'also print each new request, until Ctrl-C')
    .action(async (options: ListOptions & { follow?: boolean }) => {
      const client = createClient(options);
      const { limit } = options;
      await followJournal(client, await list(client, '/journal', { limit }), options);
    });
}
