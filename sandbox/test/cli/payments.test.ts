import { expect, test } from 'vitest';
import { examples } from '../../cli/examples.js';
import { createProgram } from '../../cli/program.js';
import { scenarios, testCards } from '../../index.js';
import { sandboxForTest } from '../support.js';
import { ran } from './support.js';

/** Lists the names of the commands that run an action. */
const listCommandNames = (
  { commands }: Pick<ReturnType<typeof createProgram>, 'commands'>,
  parents: readonly string[] = [],
): string[] =>
  commands.flatMap((command) => {
    const name = [...parents, command.name()];
    return command.commands.length > 0 ? listCommandNames(command, name) : [name.join(' ')];
  });

test('every command has examples in its help, and every example belongs to a command', () => {
  expect(Object.keys(examples).toSorted()).toEqual(listCommandNames(createProgram()).toSorted());
});

test('the command cards prints every test value that selects an outcome', async () => {
  const { stdout } = await ran(['cards']);
  for (const { value } of scenarios) expect(stdout).toContain(value);
  expect(JSON.parse((await ran(['cards', '--json'])).stdout)).toHaveLength(scenarios.length);
});

async function withSandbox() {
  const sandbox = sandboxForTest();
  const { url } = await sandbox.listen();
  return { sandbox, run: (...args: string[]) => ran(['payments', ...args, '--url', url]) };
}

test('payments create accepts the method, the amount and any field', async () => {
  const { sandbox, run } = await withSandbox();
  expect((await run('create')).stdout).toContain('waiting_payment pix payment');
  const card = ['--card', testCards.refused, '--amount', '4990', '--field', 'externalId=order-1'];
  expect((await run('create', ...card, '--field', 'items.0.quantity=2')).stdout).toContain(
    'refused credit_card payment',
  );
  await run('create', '--boleto', '--field', 'boleto.expirationDate=2026-12-31', '--json');
  const [pix, declined, boleto] = sandbox.control.payments.list();
  expect(pix).toMatchObject({ amount: 1_990, paymentMethod: 'pix' });
  expect(declined).toMatchObject({
    amount: 4_990,
    externalReference: 'order-1',
    items: [{ title: 'Livro', quantity: 2, unitPrice: 1_990 }],
  });
  expect(sandbox.control.payments.details(String(boleto?.id)).boleto?.dueDate).toBe('2026-12-31');
  expect((await run()).stdout).toContain(String(pix?.id));
  expect((await run('show', String(declined?.id), '--json')).stdout).toContain('order-1');
});

test('payments create prints why the command or the sandbox rejects its arguments', async () => {
  const { run } = await withSandbox();
  expect((await run('create', '--amount', '1')).error).toMatchObject({
    message: expect.stringContaining('got a 400: amount must be at least 100 cents'),
  });
  for (const place of ['2', '-1', '1e9', 'length', '__proto__'])
    expect((await run('create', '--field', `items.${place}.quantity=2`)).error).toMatchObject({
      message: expect.stringContaining(`fields.items.${place} must be an index from 0 to 1`),
    });
  expect((await run('create', '--pix', '--boleto')).error).toMatchObject({
    message: 'A payment has one method, not --pix and --boleto.',
  });
});
