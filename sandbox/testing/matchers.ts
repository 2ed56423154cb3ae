import { inspect } from '#sandbox-runtime';
import { isRecord } from '../../src/validation/record.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import { countCharges, findDuplicateCharges, findUndelivered, findUnfiredFaults } from './findings.js';

/** The result of a matcher, for Vitest and Jest. */
export interface MatcherResult {
  /** Whether the expectation holds. */
  pass: boolean;
  /** The message of a failure. */
  message(): string;
}

/** The matchers, for the types of `expect`. */
export interface PaymentPlatformMatchers<Result = unknown> {
  /**
   * Expects that the sandbox has exactly one charge for an order. The value is a payment (an object with its
   * `id`), or a string: an id, an idempotency key or an `externalId`. For an order with an `externalId`, all
   * charges that are paid or can still be paid count, with any key.
   */
  toHaveBeenChargedOnce(sandbox: Pick<Sandbox, 'ledger'>): Result;
  /** Expects that `noDuplicateCharges` passes for a sandbox. */
  toHaveNoDuplicateCharges(): Result;
  /** Expects that `everyFaultFired` passes for a sandbox. */
  toHaveFiredEveryFault(): Result;
  /** Expects that `everyDeliveryDelivered` passes for a sandbox. */
  toHaveDeliveredEverything(): Result;
}

declare global {
  namespace jest {
    // Vitest and @types/jest read additional matchers from this interface. If neither is installed, it has no
    // effect. The type parameters must be the same as in their interfaces.
    // biome-ignore lint/complexity/noBannedTypes: @types/jest declares its parameter like this
    interface Matchers<R, T = {}> extends PaymentPlatformMatchers<R> {}
  }
}

function toResult(problems: readonly string[], holds: string): MatcherResult {
  return {
    pass: problems.length === 0,
    message: () =>
      problems.length === 0
        ? `Expected it not to be so: ${holds}.`
        : [`Expected: ${holds}.`, ...problems.map((problem) => `- ${problem}`)].join('\n'),
  };
}

function checked<Part extends keyof Sandbox>(
  matcher: string,
  value: unknown,
  part: Part,
): Pick<Sandbox, Part> {
  const sandbox = value as Pick<Sandbox, Part> | undefined;
  if (isRecord(sandbox?.[part])) return sandbox as Pick<Sandbox, Part>;
  throw new TypeError(`${matcher} needs a sandbox from createSandbox, got ${inspect(value, { depth: 0 })}.`);
}

function describeWanted(value: unknown): string {
  const id = isRecord(value) ? value.id : value;
  if (typeof id === 'string' && id !== '') return id;
  throw new TypeError(
    `toHaveBeenChargedOnce takes a payment, its id, its idempotency key or its externalId, got ${inspect(value, { depth: 0 })}.`,
  );
}

/** Matchers for `expect.extend`, of Vitest and of Jest. */
export const paymentPlatformMatchers = Object.freeze({
  toHaveBeenChargedOnce(received: unknown, sandbox: Pick<Sandbox, 'ledger'>): MatcherResult {
    const wanted = describeWanted(received);
    const charges = countCharges(checked('toHaveBeenChargedOnce', sandbox, 'ledger'), wanted);
    const ids = charges.map(({ paymentId, status }) => `${paymentId} (${status})`).join(', ') || 'none';
    return toResult(
      charges.length === 1 ? [] : [`there are ${charges.length} charges: ${ids}`],
      `one charge for ${inspect(wanted)}`,
    );
  },
  toHaveNoDuplicateCharges: (received: unknown): MatcherResult =>
    toResult(
      findDuplicateCharges(checked('toHaveNoDuplicateCharges', received, 'ledger')),
      'every order was charged once',
    ),
  toHaveFiredEveryFault: (received: unknown): MatcherResult =>
    toResult(
      findUnfiredFaults({
        ...pick(received, 'toHaveFiredEveryFault', 'faults'),
        ...pick(received, 'toHaveFiredEveryFault', 'webhooks'),
      }),
      'every fault hit what it should',
    ),
  toHaveDeliveredEverything: (received: unknown): MatcherResult =>
    toResult(
      findUndelivered(checked('toHaveDeliveredEverything', received, 'webhooks')),
      'every notification was delivered',
    ),
});

/** Some parts are neither own nor enumerable properties. */
function pick<Part extends keyof Sandbox>(value: unknown, matcher: string, part: Part): Pick<Sandbox, Part> {
  return { [part]: checked(matcher, value, part)[part] } as Pick<Sandbox, Part>;
}
