import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { randomFrom } from '../../test/support/random.js';
import { redisUrl } from '../../test/support/redis.js';
import { Fleet } from './fleet.js';
import type { Scenario } from './scenario.js';
import { eventName, type Sent, send } from './sender.js';

const secret = 'whsec_0123456789abcdef';

/**
 * Runs four processes over one Redis, and kills one of them repeatedly. An effect outside a transaction
 * always happens, and happens once if no process died during it. An effect keyed by the delivery's id always
 * happens once.
 */
export const overRedis: Scenario = {
  name: 'redis',
  needs: 'REDIS_URL and a Redis',
  isThere: redisUrl !== '',
  async run({ part, seed }) {
    const events = 10_000 * part;
    const copies = 10;
    const space = `scale-${randomUUID()}`;
    const random = randomFrom(seed);
    const fleet = await Fleet.start(4, (name) => ({ store: 'redis', name, space, secret, lease: 3_000 }));
    const redis = new Redis(redisUrl);
    try {
      let limit = 30 + random() * 150;
      const sent = await send({
        fleet,
        events,
        copies,
        secret,
        random,
        onResponse: (life, progress) => {
          if (life.slot !== 0 || life.responses < limit || progress > 0.97) return;
          if (fleet.kill(life)) limit = 30 + random() * 150;
        },
      });
      const effects = Number(await redis.get(`${space}:effects`));
      const runs = runsByEvent(await redis.lrange(`${space}:runs`, 0, -1));
      const repeats = explainedRepeats(events, runs, sent, fleet);
      assert.equal(effects, events, 'each event has its effect, once for its key');
      assert.ok(fleet.kills >= 20 * part, `only ${fleet.kills} kills`);
      return {
        deliveries: events * copies,
        events,
        attempts: sent.attempts,
        kills: fleet.kills,
        'unanswered at a kill': countWithoutResponse(fleet),
        effects,
        'repeats, each of a killed process': repeats,
        ...Object.fromEntries([...sent.outcomes].sort()),
      };
    } finally {
      await fleet.close();
      const keys = await redis.keys(`${space}:*`);
      for (let start = 0; start < keys.length; start += 1_000)
        await redis.unlink(...keys.slice(start, start + 1_000));
      redis.disconnect();
    }
  },
};

const countWithoutResponse = (fleet: Fleet) =>
  [...fleet.lives.values()].reduce((sum, { withoutResponse = 0 }) => sum + withoutResponse, 0);

/** Groups the runs by event, in order. */
function runsByEvent(list: readonly string[]): Map<string, string[]> {
  const runs = new Map<string, string[]>();
  for (const entry of list) {
    const [event = '', run = ''] = entry.split(' ');
    runs.set(event, [...(runs.get(event) ?? []), run]);
  }
  return runs;
}

const parseLife = (run: string) => run.split('/')[0] as string;

/** Checks the runs of every event, and counts the repeated ones. */
function explainedRepeats(
  events: number,
  runs: ReadonlyMap<string, readonly string[]>,
  { handled }: Sent,
  { lives }: Fleet,
): number {
  const isKilled = (run: string) => lives.get(parseLife(run))?.withoutResponse !== undefined;
  const repeated = new Map<string, number>();
  for (let index = 0; index < events; index++) {
    const event = eventName(index);
    const own = runs.get(event) ?? [];
    const confirmations = handled.get(event) ?? [];
    assert.ok(own.length > 0, `${event} was lost`);
    assert.ok(
      confirmations.length <= 1,
      `${event} was acknowledged as handled ${confirmations.length} times`,
    );
    const last = own.at(-1) as string;
    for (const run of own.slice(0, -1)) {
      assert.ok(isKilled(run), `${event} was handled again after ${run}, whose process lived`);
      assert.ok(
        !confirmations.includes(run),
        `${event} was handled again after ${run}, which was acknowledged`,
      );
      repeated.set(parseLife(run), (repeated.get(parseLife(run)) ?? 0) + 1);
    }
    if (confirmations.length === 0) assert.ok(isKilled(last), `nobody responded for ${last} of ${event}`);
    else assert.equal(confirmations[0], last, `${event}: the run that was acknowledged is the last`);
  }
  for (const [name, times] of repeated)
    assert.ok(
      times <= (lives.get(name)?.withoutResponse ?? 0),
      `${times} repeats of ${name}, which returned more`,
    );
  return [...repeated.values()].reduce((sum, times) => sum + times, 0);
}
