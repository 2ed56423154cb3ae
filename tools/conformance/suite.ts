import type { DoctorReceiver } from '../../sandbox/doctor/receiver.js';
import { Api, type Target } from './api.js';
import type { Need, Statement } from './statement.js';
import { paymentStatements } from './statements/payments.js';
import { platformStatements } from './statements/platform.js';
import { sellerStatements } from './statements/sellers.js';
import { webhookStatements } from './statements/webhooks.js';

export const statements: readonly Statement[] = [
  ...platformStatements,
  ...paymentStatements,
  ...webhookStatements,
  ...sellerStatements,
];

export interface Row extends Pick<Statement, 'section' | 'statement' | 'expected'> {
  readonly outcome: 'holds' | 'differs' | 'assumption differs' | 'skipped';
  readonly seen: string;
}

/** Checks the statements one after another, because each can depend on limits that earlier ones used up. */
export async function check(
  target: Target,
  allowed: ReadonlySet<Need>,
  receiver: DoctorReceiver | undefined,
  onRow: (row: Row) => void = () => undefined,
): Promise<Row[]> {
  const api = new Api(target);
  const rows: Row[] = [];
  for (const statement of statements) {
    const row = await checkStatement(statement, api, allowed, receiver);
    rows.push(row);
    onRow(row);
  }
  return rows;
}

async function checkStatement(
  input: Statement,
  api: Api,
  allowed: ReadonlySet<Need>,
  receiver: DoctorReceiver | undefined,
): Promise<Row> {
  const { section, statement, expected, need, isAssumed = false } = input;
  const about = { section, statement, expected };
  if (!allowed.has(need)) return { ...about, outcome: 'skipped', seen: `needs --${need}` };
  try {
    const { holds, seen } = await input.check(api, receiver);
    if (holds) return { ...about, outcome: 'holds', seen };
    return { ...about, outcome: isAssumed ? 'assumption differs' : 'differs', seen };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { ...about, outcome: 'differs', seen: cause instanceof Error ? cause.message : String(cause) };
  }
}
