import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSandbox } from 'payment-platform/sandbox';
import { expect, test } from 'vitest';
import { bundledScript } from './support/bundled-script.js';
import { onBothEngines } from './support/engines.js';
import { eventually } from './support/eventually.js';
import { closedAfterEach } from './support/resources.js';

const opens = closedAfterEach();
const root = fileURLToPath(new URL('../', import.meta.url));
const script = new URL('./support/pay-once.ts', import.meta.url);

onBothEngines((engine) => {
  /** Starts a sandbox on a port, and processes that pay the same order under the same stored key. */
  async function shop(key: string) {
    const sandbox = opens(createSandbox());
    const { baseUrl, clientId, clientSecret } = (await sandbox.listen()).clientOptions();
    /** Resolves when the process is ready and waits for the signal to pay. */
    const start = async () => {
      const child = spawn(
        process.execPath,
        [await bundledScript(script), engine, baseUrl, clientId, clientSecret, key],
        { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
      );
      opens({ close: () => void child.kill('SIGKILL') });
      const exit = once(child, 'exit');
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe('ready');
      return {
        pay: () => child.stdin.write('pay\n'),
        paymentId: async () => (await lines.next()).value,
        crash: async () => {
          child.kill('SIGKILL');
          expect(await exit).toEqual([null, 'SIGKILL']);
        },
      };
    };
    return { sandbox, start };
  }

  test('a process that ends before the response leaves one charge, and the next process finds that charge (row 35)', async () => {
    const { sandbox, start } = await shop('order-1042');
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'hang' });
    const first = await start();
    first.pay();
    await eventually(() => expect(sandbox.ledger.charges).toHaveLength(1));
    await first.crash();
    const second = await start();
    second.pay();
    expect(await second.paymentId()).toBe(sandbox.ledger.charges[0]?.paymentId);
    expect(sandbox.ledger.chargesFor('order-1042')).toHaveLength(1);
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('two simultaneous processes with the same idempotency key make one charge and get its payment (row 36)', async () => {
    const { sandbox, start } = await shop('order-1043');
    const both = await Promise.all([start(), start()]);
    for (const { pay } of both) pay();
    const ids = await Promise.all(both.map(({ paymentId }) => paymentId()));
    expect(sandbox.ledger.charges.map(({ paymentId }) => paymentId)).toEqual([ids[0]]);
    expect(ids[1]).toBe(ids[0]);
    expect(sandbox.journal.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'order-1043',
      'order-1043',
    ]);
  });
});
