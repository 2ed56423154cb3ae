import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox } from '../../index.js';
import { Clock } from '../../time/clock.js';
import { milliseconds } from '../../time/duration.js';
import { pay, pix, sandboxForTest, signal, startOfYear } from '../support.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('a sandbox duration', () => {
  test.each([
    [0, 0],
    [1_500, 1_500],
    ['500ms', 500],
    ['30s', 30_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
    [' 1 h ', 3_600_000],
  ])('that is written as %j is %i ms', (duration, expected) => {
    expect(milliseconds(duration)).toBe(expected);
  });

  test.each([
    '',
    '15',
    'm',
    '-1m',
    '1w',
    '1h30m',
    '1e3ms',
    'constructor',
    '5constructor',
    `${'9'.repeat(400)}d`,
    '1toString',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('cannot be written as %j', async (duration) => {
    expect(() => milliseconds(duration)).toThrow(TypeError);
    await expect(sandboxForTest().clock.advance(duration)).rejects.toThrow("'15m'");
  });
});

describe('a frozen clock', () => {
  test('starts at `now`, as a string, a Date or a number', () => {
    for (const now of [startOfYear, new Date(startOfYear), Date.parse(startOfYear)]) {
      expect(sandboxForTest({ now }).clock.now()).toEqual(new Date(startOfYear));
    }
  });

  test('moves at once if nothing is due', () => {
    const { clock } = sandboxForTest();
    void clock.advance('15m');
    expect(clock.now().toISOString()).toBe('2026-01-01T00:15:00.000Z');
    void clock.advance('15m');
    expect(clock.now().toISOString()).toBe('2026-01-01T00:30:00.000Z');
  });

  test('runs due tasks by time, and tasks with equal times in the order of scheduling', async () => {
    const clock = new Clock(0);
    const log: string[] = [];
    const note = (name: string) => () => {
      log.push(`${name} at ${clock.time()}`);
    };
    clock.schedule(20, note('late'));
    clock.schedule(10, note('first of two'));
    clock.schedule(10, note('second of two'));
    clock.schedule(31, note('too late'));
    clock.schedule(5, () => {
      clock.schedule(7, note('scheduled on the way'));
    });
    clock.schedule(8, note('called off'))();
    await clock.advance(30);
    expect(log).toEqual([
      'scheduled on the way at 7',
      'first of two at 10',
      'second of two at 10',
      'late at 20',
    ]);
    expect(clock.time()).toBe(30);
    await clock.advance(1);
    expect(log.at(-1)).toBe('too late at 31');
  });

  test('waits for a task’s promise before it continues', async () => {
    const clock = new Clock(0);
    const log: string[] = [];
    const { promise, fire } = signal();
    clock.schedule(10, async () => {
      log.push('begun');
      await promise;
      log.push(`done at ${clock.time()}`);
      clock.schedule(clock.time() + 5, () => void log.push('follow-up'));
    });
    clock.schedule(20, () => void log.push('next'));
    const advance = clock.advance(30);
    expect(log).toEqual(['begun']);
    fire();
    await advance;
    expect(log).toEqual(['begun', 'done at 10', 'follow-up', 'next']);
  });

  test('advances by the sum of concurrent advances', async () => {
    const clock = new Clock(0);
    const { promise, fire } = signal();
    clock.schedule(10, () => promise);
    const first = clock.advance(30);
    const second = clock.advance(30);
    const third = clock.advance(30);
    fire();
    await Promise.all([first, second, third]);
    expect(clock.time()).toBe(90);
  });

  test('can still advance after an advance has failed', async () => {
    const clock = new Clock(0);
    await expect(clock.advance('forever')).rejects.toThrow(TypeError);
    await expect(clock.advance(1e17)).rejects.toThrow(RangeError);
    await clock.advance(1);
    expect(clock.time()).toBe(1);
  });

  test('needs no timer', async () => {
    vi.useFakeTimers();
    const sandbox = createSandbox({ now: 0 });
    const { body } = await pay(sandbox, pix());
    expect(sandbox.control.payments.details(String(body.id)).expiresAt).toMatch(/^1970-01-01T/);
    expect(vi.getTimerCount()).toBe(0);
    await sandbox.close();
  });
});

describe('a clock that follows the system', () => {
  test('has the system’s time plus its advances', async () => {
    vi.useFakeTimers({ now: new Date(startOfYear), toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const clock = new Clock();
    expect(clock.timestamp()).toBe(startOfYear);
    await clock.advance('1h');
    vi.advanceTimersByTime(60_000);
    expect(clock.timestamp()).toBe('2026-01-01T01:01:00.000Z');
  });

  test('does not go back when the system’s clock overtakes it', async () => {
    vi.useFakeTimers({ now: new Date(startOfYear), toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const clock = new Clock();
    const { promise, fire } = signal();
    clock.schedule(clock.time(), () => promise);
    const advance = clock.advance('1m');
    vi.setSystemTime('2026-01-01T01:00:00Z');
    fire();
    await advance;
    expect(clock.timestamp()).toBe('2026-01-01T01:00:00.000Z');
  });

  test('runs due tasks without an advance', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const sandbox = createSandbox();
    const { body } = await pay(sandbox, pix());
    const status = () => sandbox.control.payments.retrieve(String(body.id)).status;
    await vi.advanceTimersByTimeAsync(1_799_000);
    expect(status()).toBe('waiting_payment');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(status()).toBe('expired');
    await sandbox.close();
  });

  test('runs a scheduled task earlier in real time after an advance', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const clock = new Clock();
    const task = vi.fn();
    clock.schedule(clock.time() + 60_000, task);
    await clock.advance('50s');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(task).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(task).toHaveBeenCalledOnce();
    clock.close();
  });

  test('runs a task that is due later than the runtime’s longest possible timer', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const clock = new Clock();
    const task = vi.fn();
    const days = 86_400_000;
    clock.schedule(clock.time() + 60 * days, task);
    await vi.advanceTimersByTimeAsync(59 * days);
    expect(task).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1 * days);
    expect(task).toHaveBeenCalledOnce();
    clock.close();
  });

  test('does not keep the process alive', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    await pay(sandbox, pix());
    expect(set.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  });

  test('leaves no timer after close', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const sandbox = createSandbox();
    await pay(sandbox, pix());
    expect(vi.getTimerCount()).toBe(1);
    await sandbox.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
