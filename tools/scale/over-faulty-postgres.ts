import assert from 'node:assert/strict';
import { postgresDedupeSql } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { randomFrom } from '../../test/support/random.js';
import { wireTo } from '../../test/support/wire.js';
import { Fleet, type Life } from './fleet.js';
import type { Scenario } from './scenario.js';
import { FaultInjector, send } from './sender.js';
import { isInstalled, Servers } from './servers.js';

const lease = 600;
const space = 'scale';

/**
 * Runs four processes through PgBouncer, in transaction mode, against a PostgreSQL server with a synchronous
 * standby. Connections are cut exactly at COMMIT, handlers fail with serialization errors, processes are
 * killed or suspended for longer than the lease, claims are deleted, and the standby takes over in the
 * middle. Every event takes effect exactly once.
 */
export const overFaultyPostgres: Scenario = {
  name: 'faulty-postgres',
  needs: 'postgres, pg_basebackup and pgbouncer',
  isThere: isInstalled('postgres', 'initdb', 'pg_ctl', 'pg_basebackup', 'pgbouncer'),
  async run({ part, seed }) {
    const events = 5_000 * part;
    const copies = 5;
    const random = randomFrom(seed);
    const servers = new Servers();
    const primary = await servers.postgres('primary');
    const standby = await servers.postgres('standby', primary.port);
    let judge = createJudge(primary.port);
    const wire = await wireTo(primary.port);
    const bouncer = await servers.pgbouncer(wire.port);
    await prepare(judge);
    const url = `postgres://postgres@127.0.0.1:${bouncer}/postgres`;
    const fleet = await Fleet.start({ store: 'faulty postgres', url, space, lease });
    try {
      let deleted = 0;
      let failOvers = 0;
      let startsBefore = 0;
      const faults: ((life: Life) => unknown)[] = [
        () => wire.cutNextCommits(3),
        (life) => fleet.stall(life, 2 * lease),
        async () => {
          const { rowCount } = await judge.query(`DELETE FROM ${space}.deliveries WHERE digest IS NULL`);
          deleted += rowCount ?? 0;
        },
        (life) => fleet.kill(life),
        () => wire.drop(),
      ];
      const failOver = async () => {
        failOvers++;
        startsBefore = await countStarts(judge);
        await judge.end();
        await primary.kill();
        await standby.promote();
        judge = createJudge(standby.port);
        await judge.query(`ALTER SYSTEM SET synchronous_standby_names = ''`);
        await judge.query('SELECT pg_reload_conf()');
        wire.leadTo(standby.port);
      };
      const injector = new FaultInjector(random, (injected, progress) =>
        failOvers === 0 && progress > 0.5
          ? failOver
          : (faults[injected % faults.length] as (life: Life) => unknown),
      );
      const sent = await send({
        fleet,
        events,
        copies,
        random,
        onResponse: injector.onResponse,
      });
      const { rows } = await judge.query(`SELECT count(*)::int AS rows, count(DISTINCT event)::int AS events,
        (SELECT sum(effects)::int FROM ${space}.counters) AS counted FROM ${space}.effects`);
      const [found] = rows as [{ rows: number; events: number; counted: number }];
      assert.equal(found.events, events, 'each event has a row');
      assert.equal(found.rows, events, 'no event has two rows');
      assert.equal(found.counted, events, 'each event is counted once');
      assert.equal(failOvers, 1, 'the standby took over');
      assert.ok(wire.commitsCut >= 20 * part, `only ${wire.commitsCut} commits cut`);
      const started = Math.max(startsBefore, await countStarts(judge));
      return {
        deliveries: events * copies,
        events,
        attempts: sent.attempts,
        faults: injector.injected,
        kills: fleet.kills,
        'connections cut at COMMIT': wire.commitsCut,
        'claims deleted': deleted,
        rows: found.rows,
        'runs that were rolled back, at least': started - found.rows,
        ...Object.fromEntries([...sent.outcomes].sort()),
      };
    } finally {
      await fleet.close();
      await judge.end();
      wire.close();
      servers.close();
    }
  },
};

function createJudge(port: number): Pool {
  const pool = new Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  pool.on('error', () => undefined);
  return pool;
}

/** Creates the tables and a synchronous standby, so that every commit waits for the standby. */
async function prepare(judge: Pool): Promise<void> {
  await judge.query(`CREATE SCHEMA ${space};
    ${postgresDedupeSql(`${space}.deliveries`)}
    CREATE TABLE ${space}.effects (event text, run text);
    CREATE TABLE ${space}.counters (id int PRIMARY KEY, effects int NOT NULL);
    INSERT INTO ${space}.counters SELECT id, 0 FROM generate_series(0, 15) AS id;
    CREATE SEQUENCE ${space}.starts`);
  await judge.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
  await judge.query('SELECT pg_reload_conf()');
}

/** Counts every start. A sequence is not affected by ROLLBACK. */
async function countStarts(judge: Pool): Promise<number> {
  const { rows } = await judge.query(`SELECT last_value::int AS starts FROM ${space}.starts`);
  return (rows[0] as { starts: number }).starts;
}
