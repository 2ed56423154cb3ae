import { InvalidArgumentError, Option } from 'commander';
import { exitCodes, Failure } from './failure.js';

/** In milliseconds. */
const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const multiply = (amount: string | undefined, unit: string | undefined) =>
  Number(amount) * units[unit as keyof typeof units];

function parseLimit(text: string): number {
  const [, amount, unit] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  const limit = multiply(amount, unit);
  if (limit > 0 && limit < 2 ** 31) return limit;
  throw new InvalidArgumentError('It must be a duration such as 500ms, 30s or 2m.');
}

export const timeoutOption = (text: string): Option =>
  new Option('--timeout <duration>', 'how long to wait for a response: 500ms, 30s, 2m')
    .argParser(parseLimit)
    .default(parseLimit(text), text);

/**
 * @param limit milliseconds
 * @param ended a second signal that aborts the work's signal, even after the work has returned
 */
export async function withinTime<Result>(
  limit: number,
  url: string,
  work: (signal: AbortSignal) => Promise<Result>,
  ended?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (ended?.aborted === true) abort();
  ended?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Some stalled bodies ignore the signal, so this promise also ends the wait.
  const lateness = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      abort();
      reject(new Error('late'));
    }, limit);
  });
  const result = work(controller.signal);
  result.catch(() => undefined);
  try {
    return await Promise.race([result, lateness]);
  } catch (error) {
    if (!isLate) throw error;
    const duration = limit % 1_000 === 0 ? `${limit / 1_000} s` : `${limit} ms`;
    throw new Failure(
      `${url} did not respond within ${duration}. Set another limit with --timeout.`,
      exitCodes.unreachable,
    );
  } finally {
    clearTimeout(timer);
  }
}

export function parseAge(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('It must be an age such as 90s, 5m, 2h or 3d.');
  return multiply(amount, unit);
}

/** The largest unit that fits, such as `5m`. */
export function formatAge(milliseconds: number): string {
  const { ms: _, ...whole } = units;
  const [name, size] = Object.entries(whole).findLast(([, unit]) => milliseconds >= unit) ?? ['s', units.s];
  return `${Math.max(0, Math.floor(milliseconds / size))}${name}`;
}
