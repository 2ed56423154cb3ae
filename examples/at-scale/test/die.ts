// Kills its process at the step DIE_AT, or after the first query DIE_AFTER. A step is the beginning or the end of a
// query, a Redis command or a request. Steps count after the program has printed that it is ready, or from its start
// (DIE_FROM_START).
import { Redis } from 'ioredis';
import pg from 'pg';

const { DIE_AT, DIE_AFTER } = process.env;
let steps = 0;
let isReady = process.env.DIE_FROM_START !== undefined;

function step(ended?: unknown): void {
  if (!isReady) return;
  const isLast = ++steps === Number(DIE_AT) || (ended !== undefined && ended === DIE_AFTER);
  if (isLast) process.kill(process.pid, 'SIGKILL');
}

/** Counts the beginning and the end of a call that returns a promise or calls its last argument. */
function counted(method: (...args: never[]) => unknown) {
  return function (this: unknown, ...args: unknown[]) {
    step();
    const last = args.at(-1);
    const countEnd = (...results: unknown[]) => {
      step(args[0]);
      (last as (...results: unknown[]) => void)(...results);
    };
    if (typeof last === 'function') return Reflect.apply(method, this, [...args.slice(0, -1), countEnd]);
    const result = Reflect.apply(method, this, args);
    if (typeof result?.then === 'function')
      result.then(
        () => step(args[0]),
        () => step(),
      );
    return result;
  };
}

if (DIE_AT !== undefined || DIE_AFTER !== undefined) {
  pg.Client.prototype.query = counted(pg.Client.prototype.query) as typeof pg.Client.prototype.query;
  Redis.prototype.sendCommand = counted(Redis.prototype.sendCommand) as typeof Redis.prototype.sendCommand;
  globalThis.fetch = counted(fetch as never) as typeof fetch;
  const { log } = console;
  console.log = (...values) => {
    log(...values);
    isReady = true;
  };
}
