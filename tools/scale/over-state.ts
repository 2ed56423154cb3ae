import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pix } from '../../sandbox/test/support.js';
import { bundledScript } from '../../test/support/bundled-script.js';
import { randomFrom } from '../../test/support/random.js';
import type { Figures, Scenario } from './main.js';

/** The number of turns in a full run. */
const turnsOfAll = 200;

/** Number of concurrent requests. */
const inFlight = 8;

/** Milliseconds of load before a kill. */
const longestLife = 250;

/** Maximum milliseconds from a start to a kill. The kill can come before the process is ready. */
const longestStart = 300;

/** The sandbox's acknowledged payments, by idempotency key. */
interface Acknowledged {
  readonly id: string;
  isPaid: boolean;
}

interface Life {
  readonly child: ChildProcess;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

function spawned(command: string, file: string) {
  return spawn(process.execPath, [command, 'sandbox', '--port', '0', '--json', '--state', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Kills a sandbox while it loads the file, or writes it again. */
async function killedEarly(command: string, file: string, after: number): Promise<void> {
  const child = spawned(command, file);
  setTimeout(() => child.kill('SIGKILL'), after);
  await once(child, 'close');
}

async function start(command: string, file: string): Promise<Life> {
  const child = spawned(command, file);
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'close').then(([code]) => {
      throw new Error(`The sandbox ended with ${code}: the file does not load.`);
    }),
  ])) as [string];
  const { url, clientId, clientSecret } = JSON.parse(line);
  const headers = {
    'client-id': clientId,
    'client-secret': clientSecret,
    'content-type': 'application/json',
  };
  return { child, url, headers };
}

/** Creates a request's body. It is always the same for the same key. */
const createBody = (key: string) => JSON.stringify(pix({ externalId: key, pix: { expiration: 86_400 } }));

/** Creates a payment, or repeats its creation. */
async function create({ url, headers }: Life, key: string) {
  const response = await fetch(`${url}/v1/payments`, {
    method: 'POST',
    headers: { ...headers, 'x-idempotency-key': key },
    body: createBody(key),
  });
  const { id, status } = (await response.json()) as { id: string; status: string };
  return { code: response.status, id, status };
}

/** A sandbox that is killed repeatedly under load, with its file. */
class Trial {
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Idempotency keys that were sent and got no response. */
  readonly open = new Set<string>();
  #count = 0;

  /** Creates payments and pays every second one, until the process has ended. */
  async load(life: Life): Promise<void> {
    try {
      while (true) {
        this.#count += 1;
        const key = `order-${this.#count}`;
        this.open.add(key);
        const { code, id } = await create(life, key);
        if (code !== 201) throw new Error(`${key} got ${code}.`);
        const made = { id, isPaid: false };
        this.acknowledged.set(key, made);
        this.open.delete(key);
        if (this.#count % 2 === 0) {
          const paid = await fetch(`${life.url}/_sandbox/payments/${id}/pay`, { method: 'POST' });
          made.isPaid = paid.ok;
        }
      }
    } catch (error) {
      // The kill broke the connection.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** Retries the payments of the previous process, acknowledged or not. */
  async check(life: Life, since: number): Promise<void> {
    for (const [key, { id, isPaid }] of [...this.acknowledged].slice(since)) {
      const again = await create(life, key);
      if (again.code !== 200 || again.id !== id)
        throw new Error(`${key} was acknowledged as ${id}; now it is ${again.code} ${again.id}.`);
      if (isPaid && again.status !== 'paid') throw new Error(`${key} was paid; now it is ${again.status}.`);
    }
    for (const key of this.open) {
      const { code, id } = await create(life, key);
      if (code !== 200 && code !== 201) throw new Error(`${key}, which had no response, gets ${code}.`);
      this.acknowledged.set(key, { id, isPaid: false });
      this.open.delete(key);
    }
  }

  /** Checks that every charge has an idempotency key, and that every key has a charge. */
  async checkAll({ url }: Life): Promise<void> {
    const charged = new Map<string, string>();
    for (let before: string | undefined = ''; before !== undefined; ) {
      const page = await fetch(`${url}/_sandbox/charges?limit=1000${before && `&before=${before}`}`);
      const { data } = (await page.json()) as { data: { paymentId: string; idempotencyKey: string }[] };
      for (const { paymentId, idempotencyKey } of data) {
        if (charged.has(idempotencyKey)) throw new Error(`${idempotencyKey} is charged twice.`);
        charged.set(idempotencyKey, paymentId);
      }
      before = data.length < 1_000 ? undefined : data[0]?.paymentId;
    }
    for (const [key, { id }] of this.acknowledged) {
      if (charged.get(key) !== id) throw new Error(`${key} was acknowledged as ${id}, and is not charged.`);
    }
    if (charged.size !== this.acknowledged.size) {
      throw new Error(`There are ${charged.size} charges for ${this.acknowledged.size} keys.`);
    }
  }
}

export const overState: Scenario = {
  name: 'state',
  needs: 'nothing',
  isThere: true,
  run,
};

async function run({ part, seed }: Parameters<Scenario['run']>[0]): Promise<Figures> {
  const random = randomFrom(seed);
  const command = await bundledScript(new URL('../../sandbox/cli/index.ts', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-scale-'));
  const file = join(folder, 'sandbox.state');
  const run = new Trial();
  const turns = Math.round(turnsOfAll * part);
  let withoutResponse = 0;
  let longest = 0;
  try {
    for (let turn = 0; turn < turns; turn++) {
      const life = await start(command, file);
      const known = run.acknowledged.size;
      const loads = Promise.all(Array.from({ length: inFlight }, () => run.load(life)));
      const ended = once(life.child, 'close');
      setTimeout(() => life.child.kill('SIGKILL'), random() * longestLife);
      await loads;
      // A killed process closes its connections before it ends. Until then, it still has the file.
      await ended;
      withoutResponse += run.open.size;
      longest = Math.max(longest, statSync(file).size);
      await killedEarly(command, file, random() * longestStart);
      const next = await start(command, file);
      await run.check(next, known);
      const closed = once(next.child, 'close');
      next.child.kill('SIGKILL');
      await closed;
    }
    const last = await start(command, file);
    await run.checkAll(last);
    last.child.kill();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    'kills, under load': turns,
    'kills, at the start': turns,
    'kills, after a check': turns,
    'payments, each once': run.acknowledged.size,
    'without a response when it was killed': withoutResponse,
    'bytes of the longest file': longest,
  };
}
