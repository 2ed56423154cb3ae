import { expect } from 'vitest';
import { run } from './support.js';

/** The columns of the default tables, in their order. */
export const tableColumns = {
  payments:
    'merchant key version state revision reference digest payload payment payment_id error attempts in_doubt created_at due_at deadline refresh_until',
  deliveries: 'id holder digest rank expires_at',
};

/** Prints the default tables' columns for a library. */
export async function printTables(command: string, library: string, url: string): Promise<string> {
  const { stdout, code } = await run(command, ['durable', 'tables', '--as', library], {
    env: { DATABASE_URL: url },
  });
  expect(code).toBe(0);
  return stdout;
}
