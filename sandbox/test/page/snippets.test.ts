import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { snippetLanguages, writeSnippet } from '../../page/app/views/snippets.js';
import { sandboxForTest } from '../support.js';

const run = promisify(execFile);

/** Maps the name of an example's tab to the command that runs the example. */
const commands: Readonly<Record<string, (text: string) => [command: string, ...args: string[]]>> = {
  TypeScript: (text) => {
    const file = join(mkdtempSync(join(tmpdir(), 'snippet-')), 'main.mts');
    const source = text.replace("'payment-platform'", JSON.stringify(join(process.cwd(), 'src/index.ts')));
    writeFileSync(file, source);
    return [join(process.cwd(), 'node_modules/.bin/tsx'), file];
  },
  curl: (text) => ['bash', '-c', text],
  Python: (text) => ['python3', '-c', text],
  PHP: (text) => ['php', '-r', text.replace('<?php', '')],
};

/** Returns whether this machine has the program. */
const has = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  );

const programs = { TypeScript: 'node', curl: 'curl', Python: 'python3', PHP: 'php' } as const;

const methods = ['pix', 'boleto', 'credit_card'];

for (const [name, program] of Object.entries(programs)) {
  test.skipIf(!(await has(program))).each(methods)(
    `the example in ${name} creates only one payment if it runs several times: %s`,
    async (paymentMethod) => {
      const sandbox = sandboxForTest();
      const { url } = await sandbox.listen();
      const { clientId, clientSecret } = sandbox.clientOptions();
      const text = writeSnippet(name, { baseUrl: url, clientId, clientSecret }, paymentMethod);
      const [command = '', ...args] = commands[name]?.(text) ?? [];
      const paste = () => run(command, args);
      const { stdout } = await paste();
      await paste();
      const [charge, ...others] = sandbox.ledger.charges;
      expect(others).toEqual([]);
      expect(charge).toMatchObject({ amount: 1_990, paymentMethod, externalReference: 'order-1042' });
      expect(stdout).toContain(charge?.paymentId);
    },
  );
}

test('every snippet tab of the page is tested', () => {
  expect(snippetLanguages).toEqual(Object.keys(programs));
});
