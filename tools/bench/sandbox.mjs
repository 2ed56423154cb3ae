/**
 * Creates and pays 100,000 payments in one sandbox in process, and measures the time per request and the
 * memory per payment.
 */
import { createSandbox } from '../../dist/sandbox.js';
import { order } from './samples.mjs';

const payments = Number(process.argv[2] ?? 100_000);
const batch = payments / 10;
const inFlight = 50;

const sandbox = createSandbox({ seed: 1, now: '2026-01-01T00:00:00Z' });
const { baseUrl, clientId, clientSecret } = sandbox.clientOptions();
const headers = {
  'client-id': clientId,
  'client-secret': clientSecret,
  'content-type': 'application/json',
};

let made = 0;
async function createAndPay() {
  made += 1;
  const response = await sandbox.fetch(`${baseUrl}/v1/payments`, {
    method: 'POST',
    headers: { ...headers, 'x-idempotency-key': `order-${made}` },
    body: JSON.stringify({ ...order, externalId: `order-${made}`, paymentMethod: 'pix' }),
  });
  const { id, status } = await response.json();
  if (response.status !== 201 || status !== 'waiting_payment')
    throw new Error(`${response.status} ${status}`);
  sandbox.control.payments.pay(id);
}

async function worker(until) {
  while (made < until) await createAndPay();
}

const memory = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

await worker(2_000);
const batches = [];
for (let number = 1; number <= 10; number++) {
  const before = memory();
  const first = made;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const until = 2_000 + number * batch;
  await Promise.all(Array.from({ length: inFlight }, () => worker(until)));
  const count = made - first;
  const { user, system } = process.cpuUsage(cpu);
  batches.push({
    perSecond: (count / (performance.now() - started)) * 1000,
    cpu: (user + system) / count,
    bytes: (memory() - before) / count,
  });
}
await sandbox.close();
process.send(batches);
