import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import type {
  DurableOnboarding,
  DurablePayments,
  DurableWithdrawals,
  RowState,
} from '../../../src/durable/index.js';
import { isPaymentPlatformError, PaymentPlatform } from '../../../src/index.js';
import { readClientOptions, readDatabaseUrl } from '../client-options.js';
import { type Database, openDatabase } from '../database.js';
import { exitCodes, Failure, reportAsMistake } from '../failure.js';
import { integer } from '../numbers.js';
import { money, printFacts, printJson, printLine, printTable } from '../output.js';
import { oneLine } from '../printable.js';
import { formatAge, parseAge } from '../time-limit.js';
import { writeError } from '../write.js';
import {
  type Change,
  type ChangeOptions,
  changes,
  type DatabaseOptions,
  everyKind,
  type Fields,
  type Kind,
  nextStep,
  type OneRecord,
  type Records,
  stateFacts,
} from './durable-changes.js';
import { drizzleTables, kyselyTables } from './table-types.js';

const keysVariable = 'PAYMENT_PLATFORM_ENCRYPTION_KEYS';

const help = `
Run it in the folder and with the environment of your application: it uses the
database driver that is installed there, PAYMENT_PLATFORM_BASE_URL,
PAYMENT_PLATFORM_CLIENT_ID and PAYMENT_PLATFORM_CLIENT_SECRET. If payloads are
encrypted, ${keysVariable} holds the keys, separated by commas.
With --of withdrawals or --of onboarding, it works on those records instead.
Without --yes, a command that changes a record first says what it does, and asks.
Your application's hooks, such as onSettled, are not called.
Exit codes: 0 success, ${exitCodes.rejected} not settled or not written, ${exitCodes.usage} wrong arguments, ${exitCodes.unreachable} no database or platform,
${exitCodes.notFound} unknown key, ${exitCodes.illegal} not possible in the current state.`;

export function addDurableCommand(program: Command): void {
  const durable = program
    .command('durable')
    .description('find and repair durable payments, withdrawals and registrations in your database')
    .addHelpText('after', help);
  withDatabase(
    durable.command('counts').description('count the records in each state except settled, with the oldest'),
  ).action((options: DatabaseOptions) => using(options, (records) => printCounts(records, options)));
  withDatabase(
    durable
      .command('list')
      .description('list records, ordered by key')
      .option('--state <state>', `only records in this state: ${Object.keys(stateFacts).join(', ')}`)
      .option('--older-than <age>', 'only records that are at least this old: 90s, 5m, 2h, 3d', parseAge)
      .option('--after <key>', 'only records after this key, to continue a list')
      .option('--limit <number>', 'the maximum number of records', integer, 50),
  ).action((options: ListOptions) => using(options, (records) => printList(records, options)));
  withDatabase(
    durable
      .command('show <key>')
      .description('show a record, its last error, and the next steps')
      .option('--show-payload', 'also show the recorded request and its response, with personal data'),
  ).action((key: string, options: ShowOptions) => using(options, (records) => show(records, key, options)));
  for (const [name, change] of Object.entries(changes)) {
    const command = durable
      .command(`${name} <key>`)
      .description(change.description)
      .option('--yes', 'do not ask')
      .option('--dry-run', 'only say what would happen');
    if (name === 'refresh')
      command.option('--may-charge', 'also send a key that the platform might not know');
    if (name === 'confirm')
      command.option(
        '--withdraw-id <id>',
        "the platform's id of the withdrawal, which cannot be added later",
      );
    withDatabase(command, change.kinds).action((key: string, options: ChangeOptions) =>
      using(options, (records) => apply(records, change, key, options)),
    );
  }
  addDatabaseOptions(
    durable
      .command('tables')
      .description('print the SQL of the tables, and say which version the database has')
      .option('--apply', 'run the SQL')
      .addOption(
        new Option('--as <library>', 'print their columns for a library instead').choices(
          Object.keys(columnsFor),
        ),
      ),
  ).action(printTables);
}

const addDatabaseOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--database-url <url>', 'postgres://… or the path of a SQLite file').env('DATABASE_URL'),
    )
    .option('--table <name>', 'the table of records, if it is not the default')
    .option(
      '--config <file>',
      'a JSON file with options; by default payment-platform.config.json, if it exists',
    );

const withDatabase = (command: Command, kinds: readonly Kind[] = everyKind): Command =>
  addDatabaseOptions(command)
    .addOption(new Option('--of <kind>', 'the kind of the records').choices(kinds).default(kinds[0]))
    .addOption(new Option('--base-url <url>', "the platform's base address").env('PAYMENT_PLATFORM_BASE_URL'))
    .option('--json', 'print the response as JSON, on one line');

type Requests = DurableWithdrawals<never> | DurableOnboarding<never>;

async function using(options: DatabaseOptions, work: (records: Records) => Promise<void>): Promise<void> {
  const { createDurableOnboarding, createDurablePayments, createDurableWithdrawals } = await import(
    '../../../src/durable/index.js'
  );
  const client = await readClientOptions(options);
  const platform = reportAsMistake(() => new PaymentPlatform(client));
  const keys = process.env[keysVariable];
  const database = await openDatabase(options.databaseUrl ?? (await readDatabaseUrl(options)), options.table);
  try {
    const shared = {
      store: database.store,
      onError: (error: unknown) => writeError(`${oneLine((error as Error).message)}\n`),
    };
    const encryptionKeys = keys?.split(/\s*,\s*/);
    // The types that need keys are satisfied by the message about a missing variable.
    const encrypted = { ...shared, encryptionKeys: encryptionKeys as string[] };
    const create: Readonly<Record<Kind, () => DurablePayments<never> | Requests>> = {
      payments: () =>
        createDurablePayments(platform, { ...shared, ...(encryptionKeys && { encryptionKeys }) }),
      withdrawals: () => createDurableWithdrawals(platform, encrypted),
      onboarding: () => createDurableOnboarding(platform, encrypted),
    };
    const { of = 'payments' } = options;
    if (of !== 'payments' && encryptionKeys === undefined)
      throw new Failure(`Set ${keysVariable}. The records of ${of} are always encrypted.`);
    const records = reportAsMistake(create[of]);
    await withReasons(database, () => work(records));
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
    // Every driver names its errors. Anything else is about a record, such as one with another encryption key.
    const isOfDatabase = code !== undefined || isUnreachable;
    throw new Failure(
      isOfDatabase ? `The database ${database.address} failed: ${message}` : message,
      isUnreachable ? exitCodes.unreachable : exitCodes.rejected,
    );
  }
}

async function printCounts(records: Records, { json = false }: DatabaseOptions): Promise<void> {
  const counts = await records.counts();
  if (json) return printJson(counts);
  if (counts.length === 0) return printLine('No record is open, failed or given up.');
  printTable(
    ['state', 'count', 'oldest', 'meaning'],
    counts.map(({ state, count, oldest }) => [
      state,
      count,
      formatAge(oldest),
      state === 'foreign' ? foreign : stateFacts[state].meaning,
    ]),
  );
}

const foreign = 'due records of another client id or base address: run the command with their environment';

interface ListOptions extends DatabaseOptions {
  readonly state?: RowState;
  readonly olderThan?: number;
  readonly after?: string;
  readonly limit: number;
}

async function printList(records: Records, options: ListOptions): Promise<void> {
  const { state, olderThan, after, limit, json = false } = options;
  if (state !== undefined && !(state in stateFacts))
    throw new Failure(`--state must be one of ${Object.keys(stateFacts).join(', ')}.`);
  const found = await records.list({ state, olderThan, after, limit });
  if (json) return printJson(found.map((record) => toFacts(record)));
  printTable(
    ['key', 'state', 'recorded', 'attempts', 'due', 'status', 'last error'],
    found.map(({ key, error, ...record }) => [
      key,
      record.state,
      `${formatAge(Date.now() - record.createdAt.getTime())} ago`,
      record.attempts,
      record.dueAt?.toISOString(),
      statusOf(record),
      error && (error.status === undefined ? error.code : `${error.code} (${error.status})`),
    ]),
  );
  if (found.length === limit) printLine(`\nThere may be more: --after ${oneLine(found.at(-1)?.key ?? '')}`);
}

interface ShowOptions extends DatabaseOptions {
  readonly showPayload?: boolean;
}

const responseOf = (record: Fields): object | undefined => record.payment ?? record.result;

const statusOf = (record: Fields): string | undefined => {
  const { status } = (responseOf(record) ?? {}) as { readonly status?: unknown };
  return typeof status === 'string' ? status : undefined;
};

/** The fields of a response that are not personal. */
const harmless = ['id', 'status', 'amount', 'paymentMethod', 'withdraw_id', 'registration_id'] as const;

const withoutPersonal = (response: object): object =>
  Object.fromEntries(Object.entries(response).filter(([name]) => harmless.some((known) => known === name)));

function toFacts(record: OneRecord, isWhole = false): object {
  const name = 'externalId' in record ? 'payment' : 'result';
  const response = responseOf(record);
  return { ...record, [name]: response && (isWhole ? response : withoutPersonal(response)) };
}

async function show(records: Records, key: string, options: ShowOptions): Promise<void> {
  const record = await find(records, key, options);
  const payload = options.showPayload === true ? await records.findPayload(key) : undefined;
  if (options.json === true) return printJson({ ...toFacts(record, options.showPayload), payload });
  printRecord(record);
  if (options.showPayload !== true) return;
  printLine(`\nsent: ${JSON.stringify(payload ?? null, null, 2)}`);
  printLine(`\nresponse: ${JSON.stringify(responseOf(record) ?? null, null, 2)}`);
}

async function find(records: Records, key: string, { of = 'payments' }: DatabaseOptions): Promise<OneRecord> {
  const record = await records.find(key);
  if (record !== undefined) return record;
  throw new Failure(
    `None of the ${of} of this client id and base address has the key ${oneLine(key)}. Records of another kind need --of payments, --of withdrawals or --of onboarding. \`durable counts\` shows whether other client ids have due records in the table.`,
    exitCodes.notFound,
  );
}

function printRecord(record: OneRecord): void {
  const { key, state, attempts, inDoubt, error, dueAt } = record;
  const { externalId, paymentId, payment, result, refreshUntil }: Fields = record;
  const response: Readonly<Record<string, unknown>> = { ...result };
  printFacts({
    key,
    state: `${state}: ${state === 'failed' && inDoubt ? 'may have been executed, and not sent again' : stateFacts[state].meaning}`,
    'next step': nextStep(record),
    externalId,
    payment: paymentId,
    withdraw_id: response.withdraw_id,
    registration_id: response.registration_id,
    status: statusOf(record),
    amount: payment && money(payment.amount),
    attempts,
    'in doubt': inDoubt ? 'yes' : 'no',
    'last error':
      error && `${error.name} (${[error.code, error.status].filter(Boolean).join(', ')}): ${error.message}`,
    'recorded at': record.createdAt.toISOString(),
    'due at': dueAt?.toISOString(),
    'given up at': dueAt && record.deadline.toISOString(),
    'refresh until': refreshUntil?.toISOString(),
  });
}

async function apply(records: Records, change: Change, key: string, options: ChangeOptions): Promise<void> {
  const record = await find(records, key, options);
  const { json = false, dryRun = false } = options;
  if (!change.states.includes(record.state))
    throw new Failure(
      `${oneLine(key)} is ${record.state}. This is possible only for ${change.states.join(', ')}. Next step: ${nextStep(record)}.`,
      exitCodes.illegal,
    );
  const effect = change.effect(oneLine(key), options, record);
  if (dryRun) {
    if (json) printJson({ dryRun, effect, record: toFacts(record) });
    else printLine(`${effect}\nNothing was changed, because of --dry-run.`);
    return;
  }
  if (options.yes !== true) await confirm(effect);
  const result = await change.run(records, key, options);
  if (result === false)
    throw new Failure(
      `${oneLine(key)} has changed in the meantime. Nothing was done. Show it again.`,
      exitCodes.illegal,
    );
  const present = result === true ? await find(records, key, options) : result;
  if (json) printJson(toFacts(present));
  else printRecord(present);
}

async function confirm(effect: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Failure(`${effect}\nAdd --yes to do this without a question.`);
  writeError(`${effect}\n`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question('Continue? [y/N] ');
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.', exitCodes.rejected);
  } finally {
    prompt.close();
  }
}

const columnsFor = { drizzle: drizzleTables, kysely: kyselyTables };

async function printTables({
  databaseUrl,
  config,
  table,
  apply: isApplied = false,
  as: library,
}: DatabaseOptions & {
  readonly apply?: boolean;
  readonly as?: keyof typeof columnsFor;
}): Promise<void> {
  const database = await openDatabase(databaseUrl ?? (await readDatabaseUrl({ config })), table);
  try {
    if (library !== undefined) return printLine(columnsFor[library](database.tables));
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
