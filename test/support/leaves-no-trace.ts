import { afterAll, expect, vi } from 'vitest';

/** Lists the globals that one worker's test files share. A leftover would change the next file's tests. */
const shared = () => ({
  ...Object.fromEntries(
    Object.getOwnPropertyNames(globalThis).map((name) => [name, ownValue(globalThis, name)]),
  ),
  'performance.now': performance.now,
  'process.cwd': process.cwd(),
  'process.exitCode': process.exitCode,
  'Error.stackTraceLimit': Error.stackTraceLimit,
  'Error.prepareStackTrace': Error.prepareStackTrace,
});

const ownValue = (object: object, name: string) => Object.getOwnPropertyDescriptor(object, name)?.value;

const before: Readonly<Record<string, unknown>> = shared();

afterAll(() => {
  const hadFakeTimers = vi.isFakeTimers();
  vi.useRealTimers();
  const after: Readonly<Record<string, unknown>> = shared();
  // Libraries add their own names, and Node defines some globals when they are first read. Each copy of tslib
  // defines its helpers, such as __decorate.
  const changed = Object.keys(before).filter(
    (name) => before[name] !== undefined && !name.startsWith('__') && !Object.is(before[name], after[name]),
  );
  expect({ hadFakeTimers, changed }).toEqual({ hadFakeTimers: false, changed: [] });
});
