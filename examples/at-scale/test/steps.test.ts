import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver, toBody } from './deliveries.js';
import { closesAfter, missing, until } from './engines.js';
import { inboxes, newShop } from './inboxes.js';
import { Processes, run, runUntilStep } from './processes.js';

const steps = 10;

for (const { name, folder, needs, open } of inboxes)
  test(`${name} ships each order once, at whichever of their first ${steps} steps a receiver and a worker are killed`, {
    skip: missing(...needs),
  }, async (t) => {
    const after = closesAfter(t);
    const { pool, ...database } = await newShop(after, steps);
    const { env, counts } = await open({ pool, ...database }, after);
    const receivers = new Processes(`${folder}/receiver.ts`, env);
    const workers = new Processes(`${folder}/worker.ts`, env);
    after(() => Promise.all([receivers.close(), workers.close()]));
    await receivers.start(1);

    const killed = { receivers: 0, workers: 0 };
    for (let step = 1; step <= steps; step++) {
      const body = toBody(`order-${step}`);
      if (
        await runUntilStep(`${folder}/receiver.ts`, env, { DIE_AT: String(step) }, (line) =>
          deliver(body, line),
        )
      )
        killed.receivers++;
      await until(() => deliver(body, receivers.anyOf()), counts); // the platform resends the event
      if (await runUntilStep(`${folder}/worker.ts`, env, { DIE_AT: String(step) }, (_, death) => death))
        killed.workers++;
    }
    await workers.start(1);
    // With pg-boss, a worker's death is a failed attempt, so jobs of several killed workers are dead letters.
    await until(async () => {
      if ((await counts()).unfinished > 0) return false;
      const { output, code } = await run(`${folder}/replay.ts`, env, 'dead-letters');
      assert.equal(code, 0);
      return / 0\.$/.test(output);
    }, counts);
    assert.deepEqual(await counts(), { completed: steps, failed: 0, unfinished: 0 });
    assert.equal((await pool.query('SELECT FROM shipments')).rowCount, steps);
    assert.ok(killed.receivers >= 4, `only ${killed.receivers} receivers were killed`);
    assert.equal(killed.workers, steps);
    t.diagnostic(`killed ${killed.receivers} receivers and ${killed.workers} workers`);
  });
