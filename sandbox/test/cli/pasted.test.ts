import { beforeAll, expect, test } from 'vitest';
import { builtCommand, run } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

test('a webhook secret with a line break at its end is rejected, and the message names the white space', async () => {
  const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: 'whsec_0123456789abcdef\n' };
  const args = ['webhooks', 'send', 'transaction.paid', '--to', 'http://127.0.0.1:1/webhooks'];
  const { code, stderr } = await run(command, args, { env });
  expect(stderr).toContain(
    'PAYMENT_PLATFORM_WEBHOOK_SECRET begins or ends with white space, as pasted from a terminal. Remove it.',
  );
  expect(code).toBe(2);
});

test.each([
  'http://127.0.0.1:1/web hooks',
  'http:127.0.0.1:1/webhooks',
  'http://127.0.0.1:1/web\u200bhooks',
  ' http://127.0.0.1:1/webhooks',
])('webhooks send rejects the URL %j, because a parser would repair it silently', async (url) => {
  const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: 'whsec_0123456789abcdef' };
  const { code, stderr } = await run(command, ['webhooks', 'send', 'transaction.paid', '--to', url], {
    env,
  });
  expect(stderr).toContain('must be an http or https URL');
  expect(code).toBe(2);
});
