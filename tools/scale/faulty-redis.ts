import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Servers } from '../../test/support/servers.js';
import { wireTo } from '../../test/support/wire.js';
import { type Figures, overStore } from './drive.js';
import type { Fleet } from './fleet.js';
import type { LogLine } from './process.js';

const lease = 600;

/** A period whose writes Redis lost. */
interface Loss {
  readonly from: number;
  readonly to: number;
}

/**
 * Runs four processes over a faulty Redis, while processes are killed and suspended. Redis is emptied,
 * restarted empty, paused and replaced by a lagging replica, and it evicts keys. No effect is missing, and
 * each repeated effect is explained by the list in docs/exactly-once.md.
 */
export const overFaultyRedis = overStore({
  name: 'faulty-redis',
  needs: ['redis-server'],
  tasks: 5_000,
  copies: 5,
  lease,
  spacing: 50,
  least: { faults: 80, kills: 0 },
  async open() {
    const servers = new Servers();
    const redis = await startFaultyRedis(servers);
    const { folder } = servers;
    const url = `redis://127.0.0.1:${redis.port}`;
    return {
      options: { kind: 'redis', url, log: folder },
      faults: [
        redis.flush,
        'stall',
        () => redis.pause(2 * lease),
        redis.evict,
        'kill',
        redis.failOver,
        redis.restartEmpty,
        redis.cut,
      ],
      judge: (events, fleet) => ({
        'times that Redis forgot': redis.losses.length,
        ...explainedRepeats(events, linesIn(folder), redis.losses, fleet),
      }),
      close() {
        redis.close();
        servers.close();
      },
    };
  },
});

/** Sends a command on its own connection. */
async function send(port: number, command: string, ...args: string[]): Promise<string> {
  const client = new Redis(port, '127.0.0.1');
  try {
    return String(await client.call(command, ...args));
  } finally {
    client.disconnect();
  }
}

/** Starts a Redis server with a replica, behind a proxy that leads to one of the two. */
async function startFaultyRedis(servers: Servers) {
  let [master, replica] = [await servers.redis(), await servers.redis()];
  const wire = await wireTo(master.port);
  const losses: Loss[] = [];

  /** Resolves when the replica has caught up with its master. */
  async function follow(): Promise<void> {
    await send(replica.port, 'REPLICAOF', '127.0.0.1', String(master.port));
    for (let attempt = 0; attempt < 300; attempt++) {
      if ((await send(replica.port, 'INFO', 'replication')).includes('master_link_status:up')) return;
      await setTimeout(30);
    }
    throw new Error('The replica does not follow.');
  }

  /** Creates a fault that makes Redis lose writes. */
  const losing = (lose: () => Promise<unknown>) => async () => {
    const from = Date.now();
    await lose();
    losses.push({ from, to: Date.now() });
  };

  await follow();
  return {
    port: wire.port,
    losses,
    pause: (milliseconds: number) => send(master.port, 'CLIENT', 'PAUSE', String(milliseconds), 'ALL'),
    cut: wire.drop,
    close: wire.close,
    flush: losing(() => send(master.port, 'FLUSHALL')),
    /** Gives Redis less memory than it uses, with a policy that removes any key. */
    evict: losing(async () => {
      const memory = await send(master.port, 'INFO', 'memory');
      const used = Number(/used_memory:(\d+)/.exec(memory)?.[1]);
      await send(master.port, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random');
      await send(master.port, 'CONFIG', 'SET', 'maxmemory', String(used - 50_000));
      await setTimeout(100);
      await send(master.port, 'CONFIG', 'SET', 'maxmemory', '0');
    }),
    /** Promotes the replica. It lacks all writes that its master accepted after the two were disconnected. */
    failOver: losing(async () => {
      await send(replica.port, 'REPLICAOF', 'NO', 'ONE');
      await setTimeout(300);
      [master, replica] = [replica, master];
      wire.leadTo(master.port);
      await follow();
    }),
    restartEmpty: losing(async () => {
      await master.kill();
      master = await servers.redis(master.port);
      await follow();
    }),
  };
}

function linesIn(folder: string): LogLine[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
    .sort((one, other) => one.at - other.at);
}

interface Run {
  readonly process: string;
  readonly from: number;
  /** When the run ended; undefined if the process was killed during the run. */
  readonly to: number | undefined;
}

/** Checks that the list in docs/exactly-once.md explains every repeated run of an event. */
function explainedRepeats(
  events: number,
  lines: readonly LogLine[],
  losses: readonly Loss[],
  { lives }: Fleet,
): Figures {
  const why = { effects: 0, afterKill: 0, unmarked: 0, overtaken: 0, forgotten: 0 };
  const byEvent = new Map<string, LogLine[]>();
  for (const line of lines) byEvent.set(line.event, [...(byEvent.get(line.event) ?? []), line]);
  const hasForgotten = (since: number, until: number) =>
    losses.some(({ from, to }) => to >= since && from <= until);
  for (let index = 0; index < events; index++) {
    const event = `event-${index}`;
    const own = byEvent.get(event) ?? [];
    const wasReported = (what: LogLine['what']) => own.some((line) => line.what === what);
    const runs = listRuns(own);
    why.effects += runs.filter(({ to }) => to !== undefined).length;
    assert.ok(
      runs.some(({ to }) => to !== undefined),
      `${event} was lost`,
    );
    for (const [place, next] of runs.slice(1).entries()) {
      const last = runs[place] as Run;
      const isBeside = last.to === undefined || last.to >= next.from;
      const { killedAt } = lives.get(last.process) ?? {};
      // The process died before it marked the delivery as done. That step can have waited for Redis.
      if (killedAt !== undefined && (last.to ?? killedAt) > killedAt - 2 * lease - 500) why.afterKill++;
      else if (wasReported('overtaken')) why.overtaken++;
      else if (wasReported('unmarked')) why.unmarked++;
      // A concurrent run must be reported, unless Redis also lost the other run's claim before this run was
      // done.
      else if (hasForgotten(isBeside ? next.from : last.from, isBeside ? (last.to ?? 0) + lease : next.from))
        why.forgotten++;
      else assert.fail(`nothing explains the runs of ${event}: ${JSON.stringify(own)}`);
    }
  }
  return {
    effects: why.effects,
    'repeats after a kill': why.afterKill,
    'reported repeats after an overtaking': why.overtaken,
    'reported repeats of unmarked deliveries': why.unmarked,
    'repeats of deliveries that Redis forgot': why.forgotten,
  };
}

const listRuns = (lines: readonly LogLine[]): Run[] =>
  lines
    .filter(({ what }) => what === 'start')
    .map(({ run, process, at }) => ({
      process,
      from: at,
      to: lines.find((line) => line.what === 'effect' && line.run === run)?.at,
    }));
