import type { OnboardingStatus } from '../contract/onboarding/types.js';
import {
  type ErrorDetails,
  isDoubtful,
  isPaymentPlatformError,
  type PaymentPlatformError,
} from '../errors/base.js';
import { AbortedError, TimeoutError } from '../errors/network.js';
import { ValidationError } from '../errors/usage.js';
import { MessageRedactor } from '../redact/message-redactor.js';
import { Deadline } from '../transport/call/deadline.js';
import { notify } from '../transport/call/hooks.js';
import { auth, type CallOptions, headers, signal, timeout } from '../transport/prepare/call-options.js';
import { Parsed, prefixIssues } from '../validation/issue.js';
import { functionReader, type OptionReaders, readOptions, required } from '../validation/options.js';

export interface PollOptions {
  readonly interval: number;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** `wait` is the minimum before the next request, in milliseconds. */
export interface PollFailure {
  readonly error: Error;
  readonly wait?: number | undefined;
}

export type PollStep<Result> = { readonly result: Result } | PollFailure;

const growth = 1.5;
const maxGrowth = 10;

/**
 * Throws the last error when the time is over, or too short for the next wait. `step` receives the deadline
 * of the whole polling, and must finish before it.
 */
export async function poll<Result>(
  subject: string,
  options: PollOptions,
  details: ErrorDetails,
  step: (deadline: Deadline) => Promise<PollStep<Result>>,
): Promise<Result> {
  const deadline = new Deadline(options.timeout, options.signal);
  try {
    for (let attempts = 0; ; attempts++) {
      if (deadline.stopReason === 'aborted') {
        throw new AbortedError(`${subject}: aborted by the caller.`, {
          ...details,
          attempts,
          cause: deadline.abortReason,
        });
      }
      const pollStep = await step(deadline);
      if ('result' in pollStep) return pollStep.result;
      const { interval } = options;
      const { remainingMs } = deadline;
      // A long wait is shortened near the deadline, so that the last request is sent one `interval` before the
      // deadline.
      const grown = Math.min(interval * Math.min(growth ** attempts, maxGrowth), remainingMs - interval);
      const wait = Math.max(interval, grown, pollStep.wait ?? 0);
      if (wait >= remainingMs && !options.signal?.aborted) throw pollStep.error;
      await deadline.wait(wait);
      // The process may have been suspended during the wait.
      if (deadline.stopReason === 'timeout') throw pollStep.error;
    }
  } finally {
    deadline.close();
  }
}

/** A rejection by the platform is not temporary, but a gateway's page with the same status can be. */
export function isTemporary(error: PaymentPlatformError): boolean {
  const { name, status } = error;
  return temporaryErrors.has(name) || status === 408 || status === 425 || isDoubtful(error);
}

const temporaryErrors = new Set([
  'PaymentOutcomeUnknownError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
  'RateLimitError',
  'ServerError',
]);

/** The options of `onboarding.waitFor`. */
export interface WaitForOptions<Extra extends object = object>
  extends Pick<CallOptions, 'signal' | 'headers' | 'auth'> {
  /**
   * What to wait for: a status, a list of statuses, or a function that returns true when the status matches.
   */
  until: ((status: OnboardingStatus & Extra) => boolean | Promise<boolean>) | string | readonly string[];
  /**
   * The wait before the second request, in milliseconds. Each later wait is 1.5 times as long as the previous
   * one, up to 10 times `interval`, unless the platform requires more. The last wait can be shorter. Default 2000.
   */
  interval?: number | undefined;
  /** The total time to wait, in milliseconds. Default 600000, ten minutes. */
  timeout?: number | undefined;
  /**
   * The SDK calls this function with the first status and again after each change, and ignores its return
   * value and errors.
   */
  onStatus?: ((status: OnboardingStatus & Extra) => unknown) | undefined;
}

const subject = 'onboarding.waitFor';

function isCondition(until: unknown): boolean {
  if (typeof until === 'function') return true;
  if (typeof until === 'string') return until !== '';
  return Array.isArray(until) && until.length > 0 && until.every((status) => typeof status === 'string');
}

const untilRule = 'must be a function of the status, a status, or a list of them';

function readUntil(value: unknown): Parsed<WaitForOptions['until']> {
  const until = Array.isArray(value) ? [...value] : value;
  if (isCondition(until)) return new Parsed(until as WaitForOptions['until']);
  return new Parsed<never>(undefined, [{ path: '', message: untilRule }]);
}

const optionReaders: OptionReaders<WaitForOptions> = {
  until: required({ read: readUntil }, untilRule),
  interval: timeout,
  timeout,
  signal,
  headers,
  auth,
  onStatus: functionReader(),
};

export async function waitForStatus<Status extends OnboardingStatus>(
  step: (options: CallOptions) => Promise<Status>,
  input: WaitForOptions<never>,
  callTimeout: number,
): Promise<Status> {
  const { value = {}, issues } = readOptions(input, optionReaders);
  if (issues.length > 0) throw new ValidationError(subject, prefixIssues('options', issues));
  const { interval = 2_000, timeout = 600_000, signal, until = [], headers, auth, onStatus } = value;
  const isReached =
    typeof until === 'function' ? until : (status: Status) => toList(until).includes(status.status ?? '');
  let lastText: string | undefined;
  let lastStep: PollStep<Status> | undefined;
  let attempts = 0;
  const askOnce = async (deadline: Deadline): Promise<PollStep<Status>> => {
    try {
      attempts++;
      const remainingMs = Math.max(1, Math.min(deadline.remainingMs, callTimeout));
      const call = { signal, headers, auth, maxRetries: 0, timeout: remainingMs };
      const status = await step(call);
      const text = JSON.stringify(status);
      if (text !== lastText) notify(onStatus, () => structuredClone(status));
      lastText = text;
      // The race is needed because the caller's function can take longer than the time left.
      if (await deadline.race((async () => isReached(status))())) return { result: status };
      const current =
        typeof status.status !== 'string'
          ? 'the response has no status'
          : `it is ${new MessageRedactor().show(status.status)}`;
      lastStep = {
        error: new TimeoutError(`${subject}: the expected status did not arrive in time; ${current}.`, {
          attempts,
        }),
      };
      return lastStep;
    } catch (error) {
      if (!isPaymentPlatformError(error) || !isTemporary(error)) throw error;
      // If the time runs out during a request, that request fails with a timeout. The last step's error,
      // which names the last status, says more.
      if (error.name === 'TimeoutError' && lastStep !== undefined) return lastStep;
      return { error, wait: error.retryAfter === undefined ? undefined : error.retryAfter * 1000 };
    }
  };
  return poll(subject, { interval, timeout, signal }, {}, askOnce);
}

const toList = (until: string | readonly string[]) => (typeof until === 'string' ? [until] : until);
