import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { postgresDedupeSql } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { postgresUrl } from '../../test/support/postgres.js';
import { isInstalled, Servers } from '../../test/support/servers.js';
import { wireTo } from '../../test/support/wire.js';
import { overStore } from './deliveries.js';

function createJudge(url: string): Pool {
  const pool = new Pool({ connectionString: url });
  // Connections are cut on purpose.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Creates the deliveries, the effects of the handlers, the counters that a faulty store's handlers increment,
 * and a sequence that counts every start. A sequence is not affected by ROLLBACK.
 */
const createTables = (space: string) => `CREATE SCHEMA ${space};
  ${postgresDedupeSql(`${space}.deliveries`)}
  CREATE TABLE ${space}.effects (event text, run text);
  CREATE TABLE ${space}.counters (id int PRIMARY KEY, effects int NOT NULL);
  INSERT INTO ${space}.counters SELECT id, 0 FROM generate_series(0, 15) AS id;
  CREATE SEQUENCE ${space}.starts`;

interface Found {
  readonly rows: number;
  readonly events: number;
  readonly counted: number;
  readonly starts: number;
}

/** Checks that each event has one row, although the table would accept duplicates. */
async function countEffects(judge: Pool, space: string, events: number): Promise<Found> {
  const { rows } = await judge.query(`SELECT count(*)::int AS rows, count(DISTINCT event)::int AS events,
    (SELECT sum(effects)::int FROM ${space}.counters) AS counted,
    (SELECT last_value::int FROM ${space}.starts) AS starts FROM ${space}.effects`);
  const [found] = rows as [Found];
  assert.equal(found.events, events, 'each event has a row');
  assert.equal(found.rows, events, 'no event has two rows');
  return found;
}

/**
 * Runs four processes over one PostgreSQL, kills each of them repeatedly, and cuts their connections. A
 * handler writes a row in its delivery's transaction. Each row is written exactly once.
 */
export const overPostgres = overStore({
  name: 'postgres',
  needs: 'POSTGRES_URL and a PostgreSQL',
  isThere: postgresUrl !== '',
  events: 2_000,
  copies: 10,
  lease: 2_000,
  least: { faults: 80, kills: 40 },
  async open() {
    const space = `scale_${randomUUID().replaceAll('-', '')}`;
    const judge = createJudge(postgresUrl);
    await judge.query(createTables(space));
    let cuts = 0;
    const cut = async () => {
      const { rows } = await judge.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = $1 AND state <> 'idle' ORDER BY random() LIMIT 1`,
        [space],
      );
      cuts += rows.length;
    };
    return {
      options: { store: 'postgres', url: postgresUrl, space },
      faults: ['kill', cut],
      async judge(events, _, { handled }) {
        const { rows, starts } = await countEffects(judge, space, events);
        for (const [event, runs] of handled)
          assert.equal(runs.length, 1, `${event} was acknowledged as handled ${runs.length} times`);
        return { 'connections cut': cuts, rows, 'runs that were rolled back': starts - rows };
      },
      async close() {
        await judge.query(`DROP SCHEMA ${space} CASCADE`);
        await judge.end();
      },
    };
  },
});

/**
 * Runs four processes through PgBouncer, in transaction mode, against a PostgreSQL server with a synchronous
 * standby. Connections are cut exactly at COMMIT, handlers fail with serialization errors, processes are
 * killed or suspended for longer than the lease, claims are deleted, and the standby takes over in the
 * middle. Every event takes effect exactly once.
 */
export const overFaultyPostgres = overStore({
  name: 'faulty-postgres',
  needs: 'postgres, pg_basebackup and pgbouncer',
  isThere: isInstalled('postgres', 'initdb', 'pg_ctl', 'pg_basebackup', 'pgbouncer'),
  events: 5_000,
  copies: 5,
  lease: 600,
  least: { faults: 80, kills: 0 },
  async open() {
    const space = 'scale';
    const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
    const servers = new Servers();
    const primary = await servers.postgres('primary');
    const standby = await servers.postgres('standby', primary.port);
    let judge = createJudge(urlOf(primary.port));
    const wire = await wireTo(primary.port);
    const bouncer = await servers.pgbouncer(wire.port);
    /** Chooses the standby that every commit waits for. */
    const waitFor = async (name: string) => {
      await judge.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await judge.query('SELECT pg_reload_conf()');
    };
    await judge.query(createTables(space));
    await waitFor('standby');
    let deleted = 0;
    let startsBefore = 0;
    return {
      options: { store: 'faulty postgres', url: urlOf(bouncer), space },
      faults: [
        () => wire.cutNextCommits(3),
        'stall',
        async () => {
          const { rowCount } = await judge.query(`DELETE FROM ${space}.deliveries WHERE digest IS NULL`);
          deleted += rowCount ?? 0;
        },
        'kill',
        () => wire.drop(),
      ],
      async once() {
        const { rows } = await judge.query(`SELECT last_value::int AS starts FROM ${space}.starts`);
        startsBefore = (rows[0] as { starts: number }).starts;
        await judge.end();
        await primary.kill();
        await standby.promote();
        judge = createJudge(urlOf(standby.port));
        await waitFor('');
        wire.leadTo(standby.port);
      },
      async judge(events) {
        const { rows, counted, starts } = await countEffects(judge, space, events);
        assert.equal(counted, events, 'each event is counted once');
        assert.ok(startsBefore > 0, 'the standby took over');
        assert.ok(wire.commitsCut >= events / 250, `only ${wire.commitsCut} commits cut`);
        return {
          'connections cut at COMMIT': wire.commitsCut,
          'claims deleted': deleted,
          rows,
          'runs that were rolled back, at least': Math.max(startsBefore, starts) - rows,
        };
      },
      async close() {
        await judge.end();
        wire.close();
        servers.close();
      },
    };
  },
});
