import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { certificate } from '../../../test/support/certificate.js';
import { pay, pix, sandboxForTest } from '../support.js';
import { builtCommand, Running } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

/** Runs `webhooks listen` on a sandbox, and collects the output until the command is ready. */
async function listening(...args: string[]) {
  const sandbox = sandboxForTest();
  const { url } = await sandbox.listen();
  const listener = new Running(command, ['webhooks', 'listen', '--url', url, ...args]);
  await listener.until(/Ctrl-C/);
  return { sandbox, url, listener };
}

test('webhooks listen registers again after the sandbox was reset, and prints a line about it', async () => {
  const { sandbox, url, listener } = await listening();
  await fetch(`${url}/_sandbox/reset`, { method: 'POST' });
  await listener.until(/the sandbox was restarted or reset: registered again/);
  await pay(sandbox, pix());
  await listener.until(/✓ 200 transaction\.waiting_payment/);
});

test('webhooks listen explains that no server listens at the --forward address', async () => {
  const { sandbox, listener } = await listening('--forward', 'http://127.0.0.1:1/webhooks');
  await pay(sandbox, pix());
  const lines = await listener.until(/Nothing listens/);
  expect(lines.join('\n')).toContain('✗ 502 transaction.waiting_payment');
  expect(lines.at(-1)?.trim()).toBe(
    'Nothing listens at http://127.0.0.1:1/webhooks (ECONNREFUSED). Start your server.',
  );
});

test('webhooks listen suggests --skip-verify if it does not trust the receiver’s certificate, and then forwards deliveries', async () => {
  const receiver = createServer(certificate, (_, response) => response.end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const target = `https://localhost:${(receiver.address() as AddressInfo).port}/webhooks`;
  const untrusting = await listening('--forward', target);
  await pay(untrusting.sandbox, pix());
  expect((await untrusting.listener.until(/not trusted/)).at(-1)).toContain('add --skip-verify');
  const trusting = await listening('--forward', target, '--skip-verify');
  await pay(trusting.sandbox, pix());
  await trusting.listener.until(/✓ 200 transaction\.waiting_payment/);
});
