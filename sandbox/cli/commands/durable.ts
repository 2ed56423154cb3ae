import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import type { DurablePayments, DurableState, PaymentRecord } from '../../../src/durable/index.js';
import { isPaymentPlatformError, PaymentPlatform } from '../../../src/index.js';
import { readClientOptions } from '../client-options.js';
import { type Database, openDatabase } from '../database.js';
import { formatAge, parseAge } from '../durations.js';
import { exitCodes, Failure } from '../failure.js';
import { integer } from '../numbers.js';
import { money, printFacts, printJson, printLine, printTable } from '../output.js';
import { oneLine } from '../printable.js';
import { writeError } from '../write.js';
import { reportAsMistake } from './usable.js';

/** The options of every subcommand. */
interface DatabaseOptions {
  readonly databaseUrl?: string;
  readonly table?: string;
  readonly baseUrl?: string;
  readonly config?: string;
  readonly json?: boolean;
}

interface ChangeOptions extends DatabaseOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly mayCharge?: boolean;
}

type Payments = DurablePayments<never>;

const keysVariable = 'PAYMENT_PLATFORM_ENCRYPTION_KEYS';

const help = `
Run it in the folder and with the environment of your application: it uses the
database driver that is installed there, PAYMENT_PLATFORM_BASE_URL,
PAYMENT_PLATFORM_CLIENT_ID and PAYMENT_PLATFORM_CLIENT_SECRET. If payloads are
encrypted, ${keysVariable} holds the keys, separated by commas.
A command that changes a payment first says what it does, and asks.
Your application's hooks, such as onSettled, are not called.
Exit codes: 0 success, ${exitCodes.rejected} not settled or not written, ${exitCodes.usage} wrong arguments, ${exitCodes.unreachable} no database or platform,
${exitCodes.notFound} unknown key, ${exitCodes.illegal} not possible in the current state.`;

/** The meaning of each state, and the next step. */
const stateFacts: Readonly<Record<DurableState, { readonly meaning: string; readonly next: string }>> = {
  recorded: { meaning: 'not executed, is sent when it is due', next: 'wait, or settle it now' },
  blocked: {
    meaning: 'not executed: the platform rejects the credentials, the address or the method',
    next: 'repair the configuration, and then settle it or wait',
  },
  sending: {
    meaning: 'a process is sending it, or died while sending it',
    next: 'wait until it is due and a process runs, or settle it then',
  },
  unknown: {
    meaning: 'the platform may have charged the customer',
    next: 'wait, or settle it now: the same key is sent again',
  },
  settled: { meaning: 'the payment exists', next: 'refresh asks for its current status' },
  failed: { meaning: 'not sent again', next: 'retry sends it again with the same key' },
  given_up: {
    meaning: 'the outcome was not known in time, and nothing more is sent',
    next: 'check on the platform whether the customer was charged, and then retry or cancel',
  },
};

/** A command that changes a payment. */
interface Change {
  readonly description: string;
  readonly states: readonly DurableState[];
  /** Explains the effect on the customer's money. */
  readonly effect: (key: string, options: ChangeOptions, record: PaymentRecord) => string;
  readonly run: (payments: Payments, key: string, options: ChangeOptions) => Promise<PaymentRecord | boolean>;
}

const changes: Readonly<Record<string, Change>> = {
  settle: {
    description: 'send or resume a payment now, with its recorded key and payload',
    states: ['recorded', 'blocked', 'sending', 'unknown'],
    effect: (key, _, { state, inDoubt, deadline }) =>
      deadline.getTime() < Date.now()
        ? `The time to send ${key} has passed. Nothing is sent, and it ends as ${inDoubt ? 'given_up' : 'failed'}.`
        : `Sends ${key} with its recorded key and payload. ${inDoubt || state === 'sending' ? 'The payment may exist: the platform then returns it, while it remembers the key. If not, it' : 'Nothing was executed yet. The platform'} creates the payment now, and charges a card.`,
    run: async (payments, key) => (await payments.settle(key)).record,
  },
  refresh: {
    description: 'ask for the current status of a settled payment',
    states: ['settled'],
    effect: (key, { mayCharge = false }) =>
      `Sends ${key} again with its recorded key and payload, and stores the returned status. The customer is not charged again while the platform remembers the key${mayCharge ? '. If the platform does not know the key, it charges the customer now' : ''}.`,
    run: async (payments, key, { mayCharge }) => (await payments.refresh(key, { mayCharge })).record,
  },
  retry: {
    description: 'reopen a failed or given-up payment, so that your application sends it again',
    states: ['failed', 'given_up'],
    effect: (key) =>
      `Reopens ${key}. Your application sends it again with the same key and payload. If the platform already has this payment and remembers the key, the customer is not charged again.`,
    run: (payments, key) => payments.retry(key),
  },
  cancel: {
    description: 'end a given-up or not yet executed payment; nothing is refunded',
    states: ['recorded', 'blocked', 'given_up'],
    effect: (key) =>
      `Marks ${key} as failed, and nothing more is sent. A charge that the platform has made is not refunded.`,
    run: (payments, key) => payments.cancel(key),
  },
};

/** Adds the command `payment-platform durable`. */
export function addDurableCommand(program: Command): void {
  const durable = program
    .command('durable')
    .description('find and repair durable payments in the database of your application')
    .addHelpText('after', help);
  withDatabase(
    durable.command('counts').description('count the payments in each state, with the oldest'),
  ).action((options: DatabaseOptions) => using(options, (payments) => printCounts(payments, options)));
  withDatabase(
    durable
      .command('list')
      .description('list payments, ordered by key')
      .option('--state <state>', `only payments in this state: ${Object.keys(stateFacts).join(', ')}`)
      .option(
        '--older-than <age>',
        'only payments recorded at least this long ago: 90s, 5m, 2h, 3d',
        parseAge,
      )
      .option('--after <key>', 'only payments after this key, to continue a list')
      .option('--limit <number>', 'the maximum number of payments', integer, 50),
  ).action((options: ListOptions) => using(options, (payments) => printList(payments, options)));
  withDatabase(
    durable
      .command('show <key>')
      .description('show a payment, its last error, and the next steps')
      .option('--show-payload', "also show the payment that the platform returned, with the customer's data"),
  ).action((key: string, options: ShowOptions) => using(options, (payments) => show(payments, key, options)));
  for (const [name, change] of Object.entries(changes)) {
    const command = durable
      .command(`${name} <key>`)
      .description(change.description)
      .option('--yes', 'do not ask')
      .option('--dry-run', 'only say what would happen');
    if (name === 'refresh')
      command.option('--may-charge', 'also send a key that the platform might not know');
    withDatabase(command).action((key: string, options: ChangeOptions) =>
      using(options, (payments) => apply(payments, change, key, options)),
    );
  }
  addDatabaseOptions(
    durable
      .command('tables')
      .description('print the SQL of the tables, and say which version the database has')
      .option('--apply', 'run the SQL'),
  ).action(printTables);
}

const addDatabaseOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--database-url <url>', 'postgres://… or the path of a SQLite file').env('DATABASE_URL'),
    )
    .option('--table <name>', 'the table of payments, if it is not the default');

const withDatabase = (command: Command): Command =>
  addDatabaseOptions(command)
    .addOption(new Option('--base-url <url>', "the platform's base address").env('PAYMENT_PLATFORM_BASE_URL'))
    .option(
      '--config <file>',
      'a JSON file with options; by default payment-platform.config.json, if it exists',
    )
    .option('--json', 'print the response as JSON, on one line');

/** Opens the database, and runs a command with its payments. */
async function using(options: DatabaseOptions, work: (payments: Payments) => Promise<void>): Promise<void> {
  const { createDurablePayments } = await import('../../../src/durable/index.js');
  const client = await readClientOptions(options);
  const platform = reportAsMistake(() => new PaymentPlatform(client));
  const keys = process.env[keysVariable];
  const database = await openDatabase(options.databaseUrl, options.table);
  try {
    const payments = reportAsMistake(() =>
      createDurablePayments(platform, {
        store: database.store,
        ...(keys && { encryptionKeys: keys.split(/\s*,\s*/) }),
        onError: (error) => writeError(`${oneLine((error as Error).message)}\n`),
      }),
    );
    await withReasons(database, () => work(payments));
  } finally {
    platform.close();
    await database.close();
  }
}

const codesByName: Readonly<Record<string, number>> = {
  ValidationError: exitCodes.usage,
  ConnectionError: exitCodes.unreachable,
  TimeoutError: exitCodes.unreachable,
};

/** Explains why a database or a payment failed. */
async function withReasons(database: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    // Not the database, but an argument or the platform failed.
    if (isPaymentPlatformError(error) && code !== 'payment_store_failed')
      throw new Failure(message, codesByName[error.name] ?? exitCodes.rejected);
    // The SQLSTATEs of a database that does not exist and of a role that may not log in.
    const isUnreachable =
      /^(?:E[A-Z]+|3D000|28\w{3})$/.test(String(code)) || /accepted no connection/.test(message);
    throw new Failure(
      `The database ${database.address} failed: ${message}`,
      isUnreachable ? exitCodes.unreachable : exitCodes.rejected,
    );
  }
}

async function printCounts(payments: Payments, { json = false }: DatabaseOptions): Promise<void> {
  const counts = await payments.counts();
  if (json) return printJson(counts);
  if (counts.length === 0) return printLine('No payment is open, failed or given up.');
  printTable(
    ['state', 'payments', 'oldest', 'meaning'],
    counts.map(({ state, count, oldest }) => [
      state,
      count,
      formatAge(oldest),
      state === 'foreign' ? foreign : stateFacts[state].meaning,
    ]),
  );
}

const foreign = 'due payments of another client id or base address: run the command with their environment';

interface ListOptions extends DatabaseOptions {
  readonly state?: DurableState;
  readonly olderThan?: number;
  readonly after?: string;
  readonly limit: number;
}

async function printList(payments: Payments, options: ListOptions): Promise<void> {
  const { state, olderThan, after, limit, json = false } = options;
  if (state !== undefined && !(state in stateFacts))
    throw new Failure(`--state must be one of ${Object.keys(stateFacts).join(', ')}.`, exitCodes.usage);
  const records = await payments.list({ state, olderThan, after, limit });
  if (json) return printJson(records.map((record) => toFacts(record)));
  printTable(
    ['key', 'state', 'recorded', 'attempts', 'due', 'payment', 'last error'],
    records.map(({ key, error, ...record }) => [
      key,
      record.state,
      `${formatAge(Date.now() - record.createdAt.getTime())} ago`,
      record.attempts,
      record.dueAt?.toISOString(),
      record.payment?.status,
      error && (error.status === undefined ? error.code : `${error.code} (${error.status})`),
    ]),
  );
  if (records.length === limit)
    printLine(`\nThere may be more: --after ${oneLine(records.at(-1)?.key ?? '')}`);
}

interface ShowOptions extends DatabaseOptions {
  readonly showPayload?: boolean;
}

/** Lists the facts of a record without the customer's data. */
function toFacts({ payment, ...record }: PaymentRecord, isWhole = false): object {
  const { id, status, amount, paymentMethod } = payment ?? {};
  return { ...record, payment: payment && (isWhole ? payment : { id, status, amount, paymentMethod }) };
}

async function show(payments: Payments, key: string, options: ShowOptions): Promise<void> {
  const record = await find(payments, key);
  if (options.json === true) return printJson(toFacts(record, options.showPayload));
  printRecord(record);
  if (options.showPayload === true) printLine(`\n${JSON.stringify(record.payment ?? null, null, 2)}`);
}

async function find(payments: Payments, key: string): Promise<PaymentRecord> {
  const record = await payments.find(key);
  if (record !== undefined) return record;
  throw new Failure(
    `No payment of this client id and base address has the key ${oneLine(key)}. \`durable counts\` shows whether others have payments in the table.`,
    exitCodes.notFound,
  );
}

function printRecord(record: PaymentRecord): void {
  const { key, state, externalId, attempts, inDoubt, error, payment, dueAt } = record;
  printFacts({
    key,
    state: `${state}: ${state === 'failed' && inDoubt ? 'may have been charged, and not sent again' : stateFacts[state].meaning}`,
    'next step': stateFacts[state].next,
    externalId,
    payment: record.paymentId,
    status: payment?.status,
    amount: payment && money(payment.amount),
    attempts,
    'in doubt': inDoubt ? 'yes: an attempt without a known outcome may have charged the customer' : 'no',
    'last error':
      error && `${error.name} (${[error.code, error.status].filter(Boolean).join(', ')}): ${error.message}`,
    'recorded at': record.createdAt.toISOString(),
    'due at': dueAt?.toISOString(),
    'given up at': dueAt && record.deadline.toISOString(),
    'refresh until': record.refreshUntil.toISOString(),
  });
}

async function apply(payments: Payments, change: Change, key: string, options: ChangeOptions): Promise<void> {
  const record = await find(payments, key);
  const { json = false, dryRun = false } = options;
  if (!change.states.includes(record.state))
    throw new Failure(
      `${oneLine(key)} is ${record.state}. This is possible only for ${change.states.join(', ')}. Next step: ${stateFacts[record.state].next}.`,
      exitCodes.illegal,
    );
  const effect = change.effect(oneLine(key), options, record);
  if (dryRun) {
    if (json) printJson({ dryRun, effect, record: toFacts(record) });
    else printLine(`${effect}\nNothing was changed, because of --dry-run.`);
    return;
  }
  if (options.yes !== true) await confirm(effect);
  const result = await change.run(payments, key, options);
  if (result === false)
    throw new Failure(
      `${oneLine(key)} has changed in the meantime. Nothing was done. Show it again.`,
      exitCodes.illegal,
    );
  const present = result === true ? await find(payments, key) : result;
  if (json) printJson(toFacts(present));
  else printRecord(present);
}

async function confirm(effect: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Failure(`${effect}\nAdd --yes to do this without a question.`, exitCodes.usage);
  writeError(`${effect}\n`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question('Continue? [y/N] ');
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.', exitCodes.rejected);
  } finally {
    prompt.close();
  }
}

async function printTables({
  databaseUrl,
  table,
  apply: isApplied = false,
}: DatabaseOptions & {
  readonly apply?: boolean;
}): Promise<void> {
  const database = await openDatabase(databaseUrl, table);
  try {
    await withReasons(database, async () => {
      for (const one of database.tables) {
        if (isApplied) await database.run(one.sql);
        const version = await database.findVersion(one);
        printLine(`-- ${one.name} in ${database.address}: ${version ?? 'missing'}`);
        if (!isApplied) printLine(one.sql);
      }
    });
  } finally {
    await database.close();
  }
}
