import { inspect } from '#sandbox-platform';
import { isRecord } from '../../src/validation/record.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import { chargesOf, duplicateCharges, undelivered, unfiredFaults } from './findings.js';

/** What a matcher returns to Vitest and Jest. */
export interface MatcherResult {
  /** Whether what was expected holds. */
  pass: boolean;
  /** The message of a failure. */
  message(): string;
}

/** The matchers, for the types of `expect`. */
export interface PaymentPlatformMatchers<Result = unknown> {
  /**
   * Of a payment (an object with its `id`), or of the text of an id, an idempotency key or an `externalId`:
   * the sandbox has exactly one charge for its order. Of an order with an `externalId` the charges count that are paid
   * or may still be, under whichever key they were made.
   */
  toHaveBeenChargedOnce(sandbox: Pick<Sandbox, 'ledger'>): Result;
  /** Of a sandbox: `noDuplicateCharges` holds. */
  toHaveNoDuplicateCharges(): Result;
  /** Of a sandbox: `everyFaultFired` holds. */
  toHaveFiredEveryFault(): Result;
  /** Of a sandbox: `everyDeliveryDelivered` holds. */
  toHaveDeliveredEverything(): Result;
}

declare global {
  namespace jest {
    // Vitest and @types/jest read the types of further matchers here; without both it has no effect. The
    // parameters must be those that they have.
    // biome-ignore lint/complexity/noBannedTypes: as above
    interface Matchers<R, T = {}> extends PaymentPlatformMatchers<R> {}
  }
}

/** A result from what speaks against it. */
function resultOf(problems: readonly string[], holds: string): MatcherResult {
  return {
    pass: problems.length === 0,
    message: () =>
      problems.length === 0
        ? `Expected it not to be so: ${holds}.`
        : [`Expected: ${holds}.`, ...problems.map((problem) => `- ${problem}`)].join('\n'),
  };
}

/** @throws TypeError for what is not a sandbox. */
function checked<Part extends keyof Sandbox>(
  matcher: string,
  given: unknown,
  part: Part,
): Pick<Sandbox, Part> {
  const sandbox = given as Pick<Sandbox, Part> | undefined;
  if (isRecord(sandbox?.[part])) return sandbox as Pick<Sandbox, Part>;
  throw new TypeError(`${matcher} needs a sandbox from createSandbox, got ${inspect(given, { depth: 0 })}.`);
}

function wantedOf(given: unknown): string {
  const id = isRecord(given) ? given.id : given;
  if (typeof id === 'string' && id !== '') return id;
  throw new TypeError(
    `toHaveBeenChargedOnce takes a payment, its id, its idempotency key or its externalId, got ${inspect(given, { depth: 0 })}.`,
  );
}

/** Matchers for `expect.extend`, of Vitest and of Jest. */
export const paymentPlatformMatchers = Object.freeze({
  toHaveBeenChargedOnce(received: unknown, sandbox: Pick<Sandbox, 'ledger'>): MatcherResult {
    const wanted = wantedOf(received);
    const charges = chargesOf(checked('toHaveBeenChargedOnce', sandbox, 'ledger'), wanted);
    const ids = charges.map(({ paymentId, status }) => `${paymentId} (${status})`).join(', ') || 'none';
    return resultOf(
      charges.length === 1 ? [] : [`there are ${charges.length} charges: ${ids}`],
      `one charge for ${inspect(wanted)}`,
    );
  },
  toHaveNoDuplicateCharges: (received: unknown): MatcherResult =>
    resultOf(
      duplicateCharges(checked('toHaveNoDuplicateCharges', received, 'ledger')),
      'every order was charged once',
    ),
  toHaveFiredEveryFault: (received: unknown): MatcherResult =>
    resultOf(
      unfiredFaults({
        ...pick(received, 'toHaveFiredEveryFault', 'faults'),
        ...pick(received, 'toHaveFiredEveryFault', 'webhooks'),
      }),
      'every fault hit what it should',
    ),
  toHaveDeliveredEverything: (received: unknown): MatcherResult =>
    resultOf(
      undelivered(checked('toHaveDeliveredEverything', received, 'webhooks')),
      'every notification was delivered',
    ),
});

/** A part of a sandbox, whose parts are not all its own enumerable properties. */
function pick<Part extends keyof Sandbox>(given: unknown, matcher: string, part: Part): Pick<Sandbox, Part> {
  return { [part]: checked(matcher, given, part)[part] } as Pick<Sandbox, Part>;
}
