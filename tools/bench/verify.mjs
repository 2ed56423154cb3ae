/** Compares `verify` with the unavoidable minimum, in a separate process for each kind of body. */
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { notification, secret } from './samples.mjs';

// `DIST` is another commit's build, for `--against`.
const { sign, verify, verifyAsync } = await import(`${process.env.DIST ?? '../../dist'}/webhooks.js`);

const perRound = 4000;

const [kind, rounds] = process.argv.slice(2);
const text = JSON.stringify(notification);
const body = kind === 'string' ? text : Buffer.from(text);
const delivery = {
  body,
  headers: {
    host: 'shop.example.com',
    'user-agent': 'platform-webhooks/1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'keep-alive',
    ...sign({ body, secret }),
  },
};
const timestamp = delivery.headers['x-service-timestamp'];
const signature = delivery.headers['x-service-signature'];

/** Checks the HMAC, compares and parses, without any other check. */
function bare() {
  const hmac = createHmac('sha256', secret);
  if (kind === 'string') hmac.update(`${timestamp}.${body}`);
  else hmac.update(`${timestamp}.`).update(body);
  if (!timingSafeEqual(hmac.digest(), Buffer.from(signature, 'hex'))) throw new Error('no match');
  return JSON.parse(kind === 'string' ? body : body.toString());
}

const contenders = {
  bare: () => repeat(bare),
  verify: () => repeat(() => verify(delivery, secret)),
  async verifyAsync() {
    for (let left = perRound; left > 0; left--) await verifyAsync(delivery, secret);
  },
};

function repeat(run) {
  for (let left = perRound; left > 0; left--) run();
}

for (const check of [bare, () => verify(delivery, secret), () => verifyAsync(delivery, secret)]) {
  assert.deepEqual(await check(), notification);
}
const names = Object.keys(contenders);
const micros = Object.fromEntries(names.map((name) => [name, []]));
for (let round = -2; round < Number(rounds); round++) {
  for (let turn = 0; turn < names.length; turn++) {
    const name = names[(turn + round + names.length) % names.length];
    const before = process.cpuUsage();
    await contenders[name]();
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) micros[name].push((user + system) / perRound);
  }
}
process.send({ micros, bytes: Buffer.byteLength(text) }, () => process.exit());
