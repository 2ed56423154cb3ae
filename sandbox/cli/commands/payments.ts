import { type Command, Option } from 'commander';
import type { CreatePayment } from '../../../src/index.js';
import { Failure } from '../failure.js';
import { collectField, type Field, fieldHelp, withFields } from '../fields.js';
import { integer } from '../numbers.js';
import { money, printJson, printLine, printTable } from '../output.js';
import { escapeHarmful } from '../printable.js';
import { printResult } from './control.js';
import { type ListOptions, list, withLimit } from './lists.js';
import { openInBrowser } from './open-in-browser.js';
import { createClient, type RemoteOptions, remote, segment } from './remote.js';

interface CreateOptions extends RemoteOptions {
  readonly card?: string | true;
  readonly amount?: number;
  readonly field: readonly Field[];
  readonly open?: boolean;
}

export function addPaymentCommands(program: Command): void {
  const payments = program
    .command('payments')
    .description('list, create and show the payments of a running sandbox');

  withLimit(payments.command('list', { isDefault: true }).description('list the newest payments'))
    .option('--status <status>', 'list only payments with this status, such as waiting_payment')
    .action(async (options: ListOptions) => {
      const { limit, status } = options;
      const payments = await list(createClient(options), '/payments', { limit, status });
      if (options.json === true) return printJson(payments);
      printTable(
        ['id', 'status', 'method', 'amount', 'externalReference', 'created'],
        payments.map(({ id, status, paymentMethod, amount, externalReference, createdAt }) => [
          id,
          status,
          paymentMethod,
          money(amount),
          externalReference,
          createdAt,
        ]),
      );
    });

  const create = payments.command('create').description("create a payment as the sandbox's first merchant");
  for (const { option } of createMethodOptions()) create.addOption(option);
  remote(create)
    .option('--amount <cents>', 'the amount in cents; 1990 by default', integer)
    .option('--field <name=value>', fieldHelp, collectField, [])
    .option('--open', "show the payment on the sandbox's page, in the browser")
    .action(async (options: CreateOptions) => {
      const client = createClient(options);
      const body = { paymentMethod: findMethod(options), fields: toFields(options) };
      const response = await client.request('POST /payments/sample', body);
      printResult(
        options,
        response,
        ({ id, status, amount, paymentMethod }) =>
          `${status} ${paymentMethod} payment ${id}, ${money(amount)}`,
      );
      if (options.open === true) openPayment(client.url, String(response.id));
    });

  for (const parent of [payments, program])
    remote(
      parent
        .command('show <paymentId>')
        .description(
          'show a payment with its history, its Pix code or boleto line, and the next possible steps',
        )
        .option('--open', "show the payment on the sandbox's page, in the browser"),
    ).action(async (id: string, options: RemoteOptions & { open?: boolean }) => {
      const client = createClient(options);
      const response = await client.request(`GET /payments/${segment(id)}`);
      if (options.json === true) printJson(response);
      else printLine(escapeHarmful(JSON.stringify(response, null, 2)));
      if (options.open === true) openPayment(client.url, id);
    });
}

const openPayment = (url: string, id: string) => openInBrowser(`${url}/_sandbox/#/payments/${segment(id)}`);

const methodOptions: Readonly<Record<CreatePayment['paymentMethod'], readonly [string, string]>> = {
  pix: ['--pix', 'create a Pix (default)'],
  boleto: ['--boleto', 'create a boleto'],
  credit_card: ['--card [number]', 'create a card payment; without a number, with an approved card'],
};

const createMethodOptions = () =>
  Object.entries(methodOptions).map(([method, [flags, summary]]) => ({
    method,
    option: new Option(flags, summary),
  }));

function findMethod(options: CreateOptions): string {
  const chosen = createMethodOptions().filter(({ option }) => option.attributeName() in options);
  if (chosen.length > 1) {
    const names = chosen.map(({ option }) => option.long).join(' and ');
    throw new Failure(`A payment has one method, not ${names}.`);
  }
  return chosen[0]?.method ?? 'pix';
}

function toFields({ card, amount, field }: CreateOptions): object {
  const named: readonly Field[] = [
    ...(typeof card === 'string' ? [{ path: ['card', 'number'], value: card }] : []),
    ...(amount === undefined ? [] : [{ path: ['amount'], value: amount }]),
  ];
  return withFields({}, [...named, ...field]);
}
