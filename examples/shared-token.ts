// Two processes share one access token in Redis. Run it: REDIS_URL=redis://127.0.0.1:6379 npx tsx examples/shared-token.ts
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { encryptedTokenStore, PaymentPlatform, redisTokenStore } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const redisUrl = process.env.REDIS_URL;
const [baseUrl, clientId, clientSecret, key] = process.argv.slice(2);

if (redisUrl === undefined)
  console.log('Set REDIS_URL to the address of a Redis, for example redis://127.0.0.1:6379.');
else if (baseUrl === undefined) await parent();
else await worker(redisUrl, key ?? '');

/** Starts a sandbox and two independent workers. */
async function parent(): Promise<void> {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  const { baseUrl, clientId, clientSecret } = server.clientOptions();
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
  const start = () =>
    promisify(execFile)(process.execPath, [
      ...process.execArgv,
      fileURLToPath(import.meta.url),
      ...[baseUrl, clientId, clientSecret, key],
    ]);
  const outputs = await Promise.all([start(), start()]);
  for (const { stdout } of outputs) process.stdout.write(stdout);
  const count = (operation: string) =>
    sandbox.journal.requests.filter((request) => request.operation === operation).length;
  console.log(`${count('webhooks.list')} calls, ${count('oauth.token')} token request`); // 10 calls, 1 token request
  await sandbox.close();
}

/** Runs on each machine of a fleet. */
async function worker(url: string, key: string): Promise<void> {
  const redis = new Redis(url);
  const platform = new PaymentPlatform({
    baseUrl,
    clientId,
    clientSecret,
    auth: 'oauth',
    // Anyone who reads the token can act as the merchant, so Redis gets it encrypted only.
    oauth: { store: encryptedTokenStore(redisTokenStore(redis), key) },
  });
  await Promise.all(Array.from({ length: 5 }, () => platform.webhooks.list()));
  console.log(`process ${process.pid}: 5 calls`);
  platform.close();
  redis.disconnect();
}
