import assert from 'node:assert/strict';
import test from 'node:test';
import { createSandbox } from '../../index.js';
import { useSandbox } from '../../testing/index.js';

const sandbox = useSandbox();

for (const name of ['one', 'another'])
  test(name, async () => {
    const { url } = await sandbox.listen();
    assert.equal(sandbox.journal.requests.length, 0);
    await fetch(`${url}/v1/webhooks`);
    assert.equal(sandbox.journal.requests.length, 1);
  });

test('forgets to close', async () => {
  const { url } = await createSandbox().listen();
  assert.equal((await fetch(`${url}/v1/webhooks`)).status, 401);
});
