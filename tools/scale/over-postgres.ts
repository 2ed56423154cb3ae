import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { postgresDedupeSql } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { postgresUrl } from '../../test/support/postgres.js';
import { randomFrom } from '../../test/support/random.js';
import { Fleet } from './fleet.js';
import type { Scenario } from './scenario.js';
import { send } from './sender.js';

/**
 * Runs four processes over one PostgreSQL, kills each of them repeatedly, and cuts their connections. A
 * handler writes a row in its delivery's transaction. Each row is written exactly once, although the table
 * would accept duplicates.
 */
export const overPostgres: Scenario = {
  name: 'postgres',
  needs: 'POSTGRES_URL and a PostgreSQL',
  isThere: postgresUrl !== '',
  async run({ part, seed }) {
    const events = 2_000 * part;
    const copies = 10;
    const space = `scale_${randomUUID().replaceAll('-', '')}`;
    const random = randomFrom(seed);
    const pool = new Pool({ connectionString: postgresUrl });
    await pool.query(`CREATE SCHEMA ${space};
      ${postgresDedupeSql(`${space}.deliveries`)}
      CREATE TABLE ${space}.effects (event text, run text);
      CREATE SEQUENCE ${space}.starts`);
    let fleet: Fleet | undefined;
    try {
      const started = await Fleet.start({ store: 'postgres', space, lease: 2_000 });
      fleet = started;
      let responses = 0;
      let cuts = 0;
      let nextKill = 60;
      let nextCut = 40;
      const cut = async () => {
        const { rows } = await pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = $1 AND state <> 'idle' ORDER BY random() LIMIT 1`,
          [space],
        );
        cuts += rows.length;
      };
      const cutting: Promise<void>[] = [];
      const sent = await send({
        fleet,
        events,
        copies,
        random,
        onResponse: (life, progress) => {
          responses++;
          if (progress > 0.97) return;
          if (responses >= nextKill) {
            if (started.kill(life)) nextKill = responses + 60 + random() * 160;
          } else if (responses >= nextCut) {
            nextCut = responses + 40 + random() * 120;
            cutting.push(cut());
          }
        },
      });
      await Promise.all(cutting);
      const { rows } = await pool.query(`SELECT count(*)::int AS rows, count(DISTINCT event)::int AS events,
        (SELECT last_value FROM ${space}.starts)::int AS starts FROM ${space}.effects`);
      const [found] = rows as [{ rows: number; events: number; starts: number }];
      assert.equal(found.events, events, 'each event has a row');
      assert.equal(found.rows, events, 'no event has two rows');
      for (const [event, runs] of sent.handled)
        assert.equal(runs.length, 1, `${event} was acknowledged as handled ${runs.length} times`);
      assert.ok(fleet.kills >= 40 * part, `only ${fleet.kills} kills`);
      return {
        deliveries: events * copies,
        events,
        attempts: sent.attempts,
        kills: fleet.kills,
        'connections cut': cuts,
        rows: found.rows,
        'runs that were rolled back': found.starts - found.rows,
        ...Object.fromEntries([...sent.outcomes].sort()),
      };
    } finally {
      await fleet?.close();
      await pool.query(`DROP SCHEMA ${space} CASCADE`);
      await pool.end();
    }
  },
};
