/**
 * `npx tsx tools/conformance/main.ts --base-url URL` checks a platform against the statements of the API
 * docs, from outside. The credentials come from PAYMENT_PLATFORM_CLIENT_ID and
 * PAYMENT_PLATFORM_CLIENT_SECRET.
 *
 * Without further options it only reads, and sends invalid requests that must be rejected. `--write` leaves
 * records behind (sub-accounts, registrations, domains). `--charge` creates payments (and implies `--write`).
 * `--receive` lets the platform send webhooks to this machine, at `--receiver-url`. `--list` prints every
 * statement of the API docs with its checks, or why it has none.
 *
 * The doctor's checks come first. If a proxy on the way changes requests, no later result is about the platform.
 */
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import type { DoctorCheck } from '../../sandbox/doctor/check.js';
import { runDiagnosis } from '../../sandbox/doctor/diagnose.js';
import { DoctorReceiver } from '../../sandbox/doctor/receiver.js';
import { testCards } from '../../sandbox/scenarios/test-cards.js';
import { PaymentPlatform } from '../../src/client.js';
import type { Need } from './statement.js';
import { check, type Row } from './suite.js';
import { table } from './table.js';

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    write: { type: 'boolean' },
    charge: { type: 'boolean' },
    receive: { type: 'boolean' },
    'receiver-url': { type: 'string' },
    'receiver-port': { type: 'string', default: '0' },
    json: { type: 'boolean' },
    list: { type: 'boolean' },
  },
});

if (values.list) {
  for (const { id, section, text, triedBy, untried } of table) {
    process.stdout.write(`${id}\t${section}\t${text}\t${triedBy?.join('; ') ?? `not tried: ${untried}`}\n`);
  }
  process.exit(0);
}

const {
  PAYMENT_PLATFORM_CLIENT_ID: clientId,
  PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret,
  CONFORMANCE_CARD: card = testCards.approved,
} = process.env;
const baseUrl = values['base-url']?.replace(/\/$/, '');
if (baseUrl === undefined || clientId === undefined || clientSecret === undefined) {
  process.stderr.write(
    'Usage: PAYMENT_PLATFORM_CLIENT_ID=… PAYMENT_PLATFORM_CLIENT_SECRET=… npx tsx tools/conformance/main.ts --base-url URL [--write] [--charge] [--receive [--receiver-url URL]] [--json]\n',
  );
  process.exit(2);
}

const allowed = new Set<Need>(['read']);
if (values.write || values.charge) allowed.add('write');
if (values.charge) allowed.add('charge');
if (values.charge && values.receive) allowed.add('receive');

const marks: Readonly<Record<Row['outcome'], string>> = {
  holds: pc.green('✓'),
  differs: pc.red('✗'),
  'assumption differs': pc.yellow('≠'),
  skipped: pc.dim('–'),
};

let section = '';
/** Prints a line as soon as its result is known, because some checks wait for deliveries. */
function print(row: Row): void {
  if (row.section !== section) process.stdout.write(`\n${pc.bold(row.section)}\n`);
  section = row.section;
  const detail = row.outcome === 'skipped' ? row.seen : `expected ${row.expected}; seen ${row.seen}`;
  process.stdout.write(`${marks[row.outcome]} ${row.statement}\n    ${pc.dim(detail)}\n`);
}

const doctorOutcomes: Readonly<Record<DoctorCheck['status'], Row['outcome']>> = {
  ok: 'holds',
  failed: 'differs',
  warning: 'assumption differs',
  skipped: 'skipped',
};
const diagnosed: Row[] = [];
await runDiagnosis(new PaymentPlatform({ baseUrl, clientId, clientSecret }), {
  client: { clientId, clientSecret },
  charge: allowed.has('charge'),
  isStaging: true,
  onCheck: ({ name, status, message }) => {
    const outcome = doctorOutcomes[status];
    const row = {
      section: 'The way to the platform',
      statement: name,
      expected: 'ok',
      outcome,
      seen: message,
    };
    diagnosed.push(row);
    if (!values.json) print(row);
  },
});

const receiver = values.receive
  ? await DoctorReceiver.start(http, Number(values['receiver-port']), values['receiver-url'])
  : undefined;
const stated = await check(
  { baseUrl, clientId, clientSecret, card, wait: (seconds) => setTimeout(seconds * 1_000) },
  allowed,
  receiver,
  values.json ? undefined : print,
);
receiver?.close();
const rows = [...diagnosed, ...stated];
const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
else
  process.stdout.write(
    `\n${count('holds')} hold, ${count('differs')} differ, ${count('assumption differs')} assumptions differ, ${count('skipped')} skipped\n`,
  );
process.exitCode = count('differs') > 0 ? 1 : 0;
