import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import Database from 'libsql';
import { createSandbox, type Sandbox } from 'payment-platform/sandbox';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { builtCommand, run } from '../../../sandbox/test/cli/support.js';
import { findFreePort } from '../../support/free-port.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
const example = join(root, 'examples/shop');
const config = JSON.parse(readFileSync(join(example, 'payment-platform.config.json'), 'utf8'));
const [{ secret }] = config.endpoints;

/** The program is built once, because a process that is killed every half second must start quickly. */
let program: string;
beforeAll(async () => {
  // Express is installed here.
  mkdirSync(join(packages, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(packages, '.cache/shop-'));
  program = join(folder, 'shop.mjs');
  await build({
    entryPoints: [join(example, 'shop.ts')],
    outfile: program,
    bundle: true,
    external: ['express', 'libsql'],
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return () => rmSync(folder, { recursive: true });
});

/** Runs the shop in its own process, and restarts the process after each kill. */
class Shop {
  readonly url: string;
  readonly database: string;
  readonly lines: string[] = [];
  kills = 0;
  #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #ready: Promise<unknown> = Promise.resolve();
  #isEnding = false;

  constructor(port: number, folder: string, sandbox: { baseUrl: string }) {
    this.url = `http://127.0.0.1:${port}`;
    this.database = join(folder, 'shop.db');
    this.#env = {
      ...process.env,
      PORT: String(port),
      SHOP_DATABASE: this.database,
      PAYMENT_TIMEOUT: '1000',
      PAYMENT_PLATFORM_BASE_URL: sandbox.baseUrl,
      PAYMENT_PLATFORM_CLIENT_ID: config.clientId,
      PAYMENT_PLATFORM_CLIENT_SECRET: config.clientSecret,
      PAYMENT_PLATFORM_WEBHOOK_SECRET: secret,
    };
    this.#start();
  }

  /** Resolves when the current process is listening. */
  ready(): Promise<unknown> {
    return this.#ready;
  }

  /** Kills the running process without warning. Resolves when the process has exited. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.kill('SIGKILL') !== true) return;
    this.#child = undefined;
    this.kills++;
    const exit = once(child, 'exit');
    this.#ready = exit.then(() => this.#ready);
    await exit;
  }

  /** Ends the shop as a deploy does, and returns the exit code. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown> {
    this.#isEnding = true;
    await this.#ready;
    const child = this.#child;
    if (child === undefined) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    this.#child = undefined;
    return (await exit)[0];
  }

  #start(): void {
    const child = spawn(process.execPath, [program], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = createInterface({ input: child.stdout });
    output.on('line', (line) => this.lines.push(line));
    this.#ready = once(output, 'line').then(() => {
      this.#child = child;
    });
    child.once('exit', () => {
      if (!this.#isEnding) this.#start();
    });
  }
}

async function open(): Promise<{ readonly sandbox: Sandbox; readonly shop: Shop; readonly url: string }> {
  const port = await findFreePort();
  const sandbox = createSandbox({
    ...config,
    endpoints: [{ url: `http://127.0.0.1:${port}/webhooks`, secret }],
    // The last resend comes after the last kill, even on a slow machine.
    webhooks: { resendDelays: ['1s', '5s', '2m'] },
  });
  onTestFinished(() => sandbox.close());
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/shop-'));
  const server = await sandbox.listen();
  const shop = new Shop(port, folder, server.clientOptions());
  onTestFinished(async () => {
    await shop.end('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  await shop.ready();
  return { sandbox, shop, url: server.url };
}

test('the shop page shows the current program', () => {
  const page = readFileSync(join(example, 'README.md'), 'utf8');
  const [, shown] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
  expect(shown).toBe(readFileSync(join(example, 'shop.ts'), 'utf8'));
});

test('the example shop rejects an order whose id or name is missing, and does not store it', async () => {
  const { shop, sandbox } = await open();
  for (const input of [{ name: 'Ana Souza' }, { id: 'x y', name: 'Ana Souza' }, { id: randomUUID() }, []])
    expect((await post(shop, input)).status).toBe(400);
  expect(sandbox.journal.requests).toEqual([]);
  const database = new Database(shop.database, { readonly: true });
  onTestFinished(() => void database.close());
  expect(database.prepare('SELECT * FROM orders').all()).toEqual([]);
});

test('the example shop passes check-integration with Pix and card', async () => {
  const { shop, url } = await open();
  const command = await builtCommand();
  const order = '"id":"{order}","name":"Ana Souza"';
  const args = ['--shop', shop.url, '--amount', '1990', '--url', url, '--json'];
  const orders = [
    '--pix',
    `POST /orders {${order}}`,
    '--card',
    `POST /orders {${order},"cardToken":"{cardToken}"}`,
  ];
  const { stdout } = await run(command, ['check-integration', ...args, ...orders], {
    env: { PAYMENT_PLATFORM_WEBHOOK_SECRET: secret },
  });
  const { journeys } = JSON.parse(stdout) as { journeys: { status: string }[] };
  expect(journeys.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(journeys).toHaveLength(15);
});

const post = (shop: Shop, body: unknown) =>
  fetch(`${shop.url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/**
 * Posts an order, as a customer does, until the shop returns a Pix code. Retries a failed POST with the same
 * id.
 */
async function order(shop: Shop, id: string): Promise<string> {
  for (;;) {
    await shop.ready();
    try {
      const response = await post(shop, { id, name: 'Ana Souza' });
      const { pix } = (await response.json()) as { pix?: string };
      if (pix !== undefined) return pix;
      expect(response.status).toBe(202);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // No response, because the process was killed.
    }
  }
}

/** Pays as the customer's bank does, which identifies the payment by its Pix code. */
function pay(sandbox: Sandbox, id: string, pix: string): void {
  expect(pix).toMatch(/^00020101/);
  const [payment] = sandbox.control.payments.list({ search: id });
  sandbox.control.payments.pay(payment?.id ?? '');
}

interface OrderRow {
  readonly id: string;
  readonly status: string;
}

test('the shop is killed and restarted during 30 orders, and each order is charged exactly once and paid', async () => {
  const { sandbox, shop } = await open();
  const kills = 7;
  let left = 1;
  sandbox.observe(() => {
    // Each event of the platform can kill the shop's process.
    if (shop.kills >= kills || --left > 0) return;
    left = 1 + Math.floor(Math.random() * 10);
    void shop.kill();
  });

  const ids = Array.from({ length: 30 }, () => randomUUID());
  const [last = '', ...waiting] = ids;
  const customer = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
      pay(sandbox, id, await order(shop, id));
  };
  await Promise.all(Array.from({ length: 6 }, customer));
  // The customer pays the last payment while the shop is down.
  const pix = await order(shop, last);
  await shop.ready();
  await shop.kill();
  pay(sandbox, last, pix);
  expect(shop.kills).toBeGreaterThanOrEqual(5);

  const database = new Database(shop.database, { readonly: true });
  onTestFinished(() => void database.close());
  const orders = () => database.prepare('SELECT * FROM orders').all() as OrderRow[];
  await expect
    .poll(() => orders().filter(({ status }) => status !== 'paid'), { timeout: 240_000 })
    .toEqual([]);

  expect(
    orders()
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...ids].sort());
  for (const id of ids) expect(sandbox.ledger.chargesFor(id)).toHaveLength(1);
  expect(sandbox.ledger.charges).toHaveLength(ids.length);
  const shipped = shop.lines.filter((line) => line.startsWith('ship '));
  expect(new Set(shipped).size).toBe(shipped.length);
  // The platform resends missed notifications. The last payment's notification can wait for an earlier
  // notification.
  expect(sandbox.webhooks.list().some(({ attempts }) => attempts > 1)).toBe(true);

  const states = 'SELECT state, count(*) AS count FROM payment_platform_payments GROUP BY state';
  expect(database.prepare(states).all()).toEqual([{ state: 'settled', count: ids.length }]);
  expect(await shop.end('SIGTERM')).toBe(0);
});
