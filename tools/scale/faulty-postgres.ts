import assert from 'node:assert/strict';
import { postgresDedupeSql } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { Servers } from '../../test/support/servers.js';
import { wireTo } from '../../test/support/wire.js';
import { overStore } from './drive.js';

function createJudge(url: string): Pool {
  const pool = new Pool({ connectionString: url });
  // Connections are cut on purpose.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Creates the deliveries, the effects of the handlers, the counters that handlers increment, and a sequence that
 * counts every start. A sequence is not affected by ROLLBACK.
 */
const tables = `${postgresDedupeSql('deliveries')}
  CREATE TABLE effects (event text);
  CREATE TABLE counters (id int PRIMARY KEY, effects int NOT NULL);
  INSERT INTO counters SELECT id, 0 FROM generate_series(0, 15) AS id;
  CREATE SEQUENCE starts`;

interface Found {
  readonly rows: number;
  readonly events: number;
  readonly counted: number;
  readonly starts: number;
}

/**
 * Runs four processes through PgBouncer, in transaction mode, against a PostgreSQL server with a synchronous
 * standby. Connections are cut exactly at COMMIT, handlers fail with serialization errors, processes are
 * killed or suspended for longer than the lease, claims are deleted, and the standby takes over in the
 * middle. Every event takes effect exactly once.
 */
export const overFaultyPostgres = overStore({
  name: 'faulty-postgres',
  needs: ['postgres', 'initdb', 'pg_ctl', 'pg_basebackup', 'pgbouncer'],
  tasks: 5_000,
  copies: 5,
  lease: 600,
  spacing: 50,
  least: { faults: 80, kills: 0 },
  async open() {
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
    await judge.query(tables);
    await waitFor('standby');
    let deleted = 0;
    let startsBefore = 0;
    return {
      options: { kind: 'postgres', url: urlOf(bouncer) },
      faults: [
        () => wire.cutNextCommits(3),
        'stall',
        async () => {
          const { rowCount } = await judge.query('DELETE FROM deliveries WHERE digest IS NULL');
          deleted += rowCount ?? 0;
        },
        'kill',
        () => wire.drop(),
      ],
      async once() {
        const { rows } = await judge.query('SELECT last_value::int AS starts FROM starts');
        startsBefore = (rows[0] as { starts: number }).starts;
        await judge.end();
        await primary.kill();
        await standby.promote();
        judge = createJudge(urlOf(standby.port));
        await waitFor('');
        wire.leadTo(standby.port);
      },
      async judge(events, _, outcomes) {
        const { rows: found } =
          await judge.query(`SELECT count(*)::int AS rows, count(DISTINCT event)::int AS events,
          (SELECT sum(effects)::int FROM counters) AS counted,
          (SELECT last_value::int FROM starts) AS starts FROM effects`);
        const [{ rows, counted, starts, events: handled }] = found as [Found];
        assert.equal(handled, events, 'each event has a row');
        assert.equal(rows, events, 'no event has two rows, although the table would accept them');
        assert.equal(counted, events, 'each event is counted once');
        assert.ok((outcomes.handled ?? 0) <= events, 'no event was acknowledged as handled twice');
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
