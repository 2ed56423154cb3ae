import { createSandbox, type Sandbox, type SandboxOptions } from '../index.js';

/** Runs a function after each test, or after all tests of a file. */
type Hook = (run: () => Promise<void>) => unknown;

/** The hooks of a test runner: `import { afterAll, afterEach } from 'vitest'`. */
export interface TestHooks {
  /** Runs after each test. */
  afterEach: Hook;
  /** Runs after the last test. */
  afterAll: Hook;
}

/** Options of `useSandbox`: the sandbox's options, and the test runner's hooks. */
export interface UseSandboxOptions extends SandboxOptions {
  /**
   * The hooks of a test runner without global hooks, such as Vitest without `globals: true`: `{ afterEach,
   * afterAll }`. Default: the global hooks, or those from node:test.
   */
  hooks?: TestHooks | undefined;
}

/**
 * Creates a sandbox for all tests of a file. The sandbox is reset after each test, and closed after the last
 * test. Call it at the top of the file or in a `describe`. Create webhook endpoints, faults and other test
 * data in `beforeEach`, because a reset removes them, except those in the options. A server of `listen()` stays
 * until the end.
 *
 * @throws TypeError for wrong options, and if no hooks are found.
 */
export function useSandbox({ hooks = foundHooks(), ...options }: UseSandboxOptions = {}): Sandbox {
  if (typeof hooks?.afterEach !== 'function' || typeof hooks.afterAll !== 'function') {
    throw new TypeError(
      'useSandbox: the test runner has no global hooks. Pass them: useSandbox({ hooks: { afterAll, afterEach } }) with the functions of vitest.',
    );
  }
  const sandbox = createSandbox(options);
  hooks.afterEach(() => sandbox.reset());
  hooks.afterAll(() => sandbox.close());
  return sandbox;
}

/**
 * Finds the global hooks of Jest, of Bun and of Vitest with `globals`, or node:test's if one of its processes
 * runs.
 */
function foundHooks(): TestHooks | undefined {
  const { afterEach, afterAll } = globalThis as Partial<TestHooks>;
  if (afterEach !== undefined && afterAll !== undefined) return { afterEach, afterAll };
  if (typeof process === 'undefined' || process.env.NODE_TEST_CONTEXT === undefined) return undefined;
  const test = process.getBuiltinModule?.('node:test');
  return test && { afterEach: test.afterEach, afterAll: test.after };
}
