import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments } from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import { expect, vi } from 'vitest';
import { bundledScript } from './bundled-script.js';
import type { KillPoint, Order, PaymentProcess } from './kill-points.js';
import { KillingWires } from './killing-wire.js';
import { atOneAddress, type OpenPlace, openPlace, type PaymentPlace, paymentsSql } from './payment-place.js';
import { pix } from './payments.js';
import { postgresSchema, postgresUrl } from './postgres.js';

/** The number of doomed processes that start at once. */
const atOnce = 6;

/** A test's database, and the function that removes the database. */
export interface TestDatabase {
  readonly place: (table: string) => PaymentPlace;
  readonly remove: () => unknown;
}

/** Lists the databases that processes can share. A database that this machine lacks is skipped by name. */
export const sharedDatabases: readonly {
  readonly name: string;
  readonly isThere: boolean;
  readonly create: () => Promise<TestDatabase>;
}[] = [
  {
    name: 'sqlitePayments, a file, the methods of better-sqlite3',
    isThere: true,
    create: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'payments-'));
      return {
        place: (table) => ({ kind: 'sqlite', at: join(folder, 'payments.db'), table }),
        remove: () => rmSync(folder, { recursive: true }),
      };
    },
  },
  {
    name: 'postgresPayments, a pool of pg (needs POSTGRES_URL)',
    isThere: postgresUrl !== '',
    create: async () => {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      return {
        place: (table) => ({ kind: 'postgres', at: postgresUrl, table: `${schema}.${table}` }),
        remove: removeSchema,
      };
    },
  },
];

/** A table of payments, as the test uses it. */
type Table = OpenPlace & {
  readonly place: PaymentPlace;
  readonly payments: ReturnType<typeof createPayments>;
};

const createPayments = ({ store }: OpenPlace, client: PaymentPlatform) =>
  createDurablePayments(atOneAddress(client), { store });

/**
 * Manages processes that are killed, two workers that settle their payments, and the platform behind them.
 */
export class KillablePayments {
  readonly sandbox = createSandbox({ rateLimits: false });
  readonly #database: TestDatabase;
  readonly #tables: Table[] = [];
  readonly #processes = new Set<ChildProcess>();
  readonly #workers: ChildProcess[] = [];
  #script = '';
  #wires = new KillingWires(0);
  #baseUrl = '';
  #credentials = { clientId: '', clientSecret: '' };

  private constructor(database: TestDatabase) {
    this.#database = database;
  }

  static async start(database: TestDatabase): Promise<KillablePayments> {
    const world = new KillablePayments(database);
    world.#script = await bundledScript(new URL('./killed-payments.ts', import.meta.url));
    const server = await world.sandbox.listen({ allowedHosts: ['127.0.0.1'] });
    world.#credentials = server.clientOptions();
    world.#wires = new KillingWires(server.port);
    world.#baseUrl = await world.#wires.passing();
    for (let worker = 0; worker < 2; worker++)
      world.#workers.push(world.#fork({ does: 'serve', place: database.place(''), key: '' }, world.#baseUrl));
    await Promise.all(world.#workers.map((worker) => once(worker, 'message')));
    return world;
  }

  /** Creates the test's own client. */
  get client(): PaymentPlatform {
    return new PaymentPlatform({ ...this.#credentials, baseUrl: this.#baseUrl });
  }

  /** Creates a table of payments. */
  async table(name: string, requests?: PaymentPlace['requests']): Promise<Table> {
    const place = { ...this.#database.place(name), requests };
    const opened = openPlace(place);
    await opened.execute(paymentsSql(place));
    const payments = createPayments(opened, this.client);
    const table = { ...opened, place, payments };
    this.#tables.push(table);
    return table;
  }

  /** Resolves when the process was killed at the point. @throws if the process never reached the point */
  async kill(process: Omit<PaymentProcess, 'platform' | 'dies'>, { name, own, wire }: KillPoint) {
    let child: ChildProcess | undefined;
    const url =
      wire === undefined
        ? this.#baseUrl
        : await this.#wires.killing(wire, process.key, () => child?.kill('SIGKILL'));
    child = this.#fork({ ...process, dies: own }, url);
    const [, killedBy] = await once(child, 'exit');
    expect(killedBy, `what ended the process that was to die: ${name}`).toBe('SIGKILL');
  }

  /** Kills a process for each item, several at once. */
  async killEach<Item>(items: readonly Item[], kill: (item: Item) => Promise<unknown>): Promise<void> {
    const waiting = [...items];
    const next = async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await kill(item);
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  }

  /** Lets both workers run on a table. */
  startWorkers({ place }: Table): void {
    this.#send({ run: place });
  }

  /** Waits until a table has no payment left to settle, then stops its workers. */
  async settled({ place, payments }: Table): Promise<void> {
    await vi.waitFor(
      async () => expect((await payments.list({ limit: 1_000 })).filter(({ dueAt }) => dueAt)).toEqual([]),
      { timeout: 120_000, interval: 30 },
    );
    this.#send({ stop: place });
  }

  /**
   * Kills a process for each kill, while two workers run. The processes that `run` die one after the other,
   * before the workers start, so that no worker takes a request first.
   */
  async killRequests<Kill extends { readonly does: 'create' | 'run'; readonly point: KillPoint }>(
    table: Table,
    kills: readonly Kill[],
    keyOf: (kill: Kill) => string,
    enqueue: (key: string) => Promise<unknown>,
  ): Promise<void> {
    const { place } = table;
    // Each process claims the only due request, which the next one therefore cannot claim during its lease.
    for (const kill of kills.filter(({ does }) => does === 'run')) {
      await enqueue(keyOf(kill));
      await this.kill({ does: 'run', place, key: keyOf(kill) }, kill.point);
    }
    this.startWorkers(table);
    await this.killEach(
      kills.filter(({ does }) => does === 'create'),
      (kill) => this.kill({ does: 'create', place, key: keyOf(kill) }, kill.point),
    );
  }

  /** Waits until no request of a table is due, and stops its workers. */
  async settledRequests(
    { place }: Table,
    list: () => Promise<readonly { readonly dueAt: Date | undefined }[]>,
  ): Promise<void> {
    await vi.waitFor(async () => expect((await list()).filter(({ dueAt }) => dueAt)).toEqual([]), {
      timeout: 120_000,
      interval: 30,
    });
    this.#send({ stop: place });
  }

  /** Delivers the requests of dead processes that are still on the wire. */
  deliverLate(): Promise<void> {
    return this.#wires.deliverLate();
  }

  /** Checks that each row of a table is settled with the only charge of its key. */
  async judge({ payments }: Table): Promise<readonly string[]> {
    const records = await payments.list({ limit: 1_000 });
    for (const { key, state, paymentId } of records) {
      const charges = this.sandbox.ledger.chargesFor(key).map((charge) => charge.paymentId);
      expect({ key, state, charges }).toEqual({ key, state: 'settled', charges: [paymentId] });
    }
    return records.map(({ key }) => key);
  }

  /** Creates all payments again, like a caller without a response. Each payment must exist exactly once. */
  async createAgain({ payments }: Table, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const { payment } = await payments.create(pix, { key });
      expect(this.sandbox.ledger.chargesFor(key).map(({ paymentId }) => paymentId)).toEqual([payment.id]);
    }
  }

  async close(): Promise<void> {
    for (const child of this.#processes) child.kill('SIGKILL');
    await this.#wires.close();
    await this.sandbox.close();
    await Promise.all(this.#tables.map(({ close }) => close()));
    await this.#database.remove();
  }

  #send(order: Order): void {
    for (const worker of this.#workers) worker.send(order);
  }

  #fork(process: Omit<PaymentProcess, 'platform'>, baseUrl: string): ChildProcess {
    const input: PaymentProcess = { ...process, platform: { ...this.#credentials, baseUrl } };
    const child = fork(this.#script, [JSON.stringify(input)], { execArgv: [] });
    this.#processes.add(child);
    child.once('exit', () => this.#processes.delete(child));
    return child;
  }
}
