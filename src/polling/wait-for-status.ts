import type { OnboardingStatus } from '../contract/onboarding/types.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { TimeoutError } from '../errors/network.js';
import { ValidationError } from '../errors/usage.js';
import { issuesAt } from '../input/issue.js';
import { aFunction, type Readers, readOptions, required, that } from '../input/options.js';
import type { Deadline } from '../transport/deadline.js';
import { auth, type CallOptions, headers, signal, timeout } from '../transport/prepare/call-options.js';
import { notify } from '../transport/report/hooks.js';
import { mayChange } from './may-change.js';
import { Answered, poll, type Step } from './poll.js';

/** What `onboarding.waitFor` waits for, and how long. */
export interface WaitForOptions extends Pick<CallOptions, 'signal' | 'headers' | 'auth'> {
  /** Whether this is the status waited for: a function, a status, or a list of them. */
  until: ((status: OnboardingStatus) => boolean | Promise<boolean>) | string | readonly string[];
  /** Milliseconds before the second question. Default 2000. */
  interval?: number | undefined;
  /** Milliseconds for all of it. Default 600000, ten minutes. */
  timeout?: number | undefined;
  /** Called with the first status and with each that differs from the one before. Nothing it does changes the waiting. */
  onStatus?: ((status: OnboardingStatus) => unknown) | undefined;
}

const subject = 'onboarding.waitFor';

function isCondition(until: unknown): boolean {
  if (typeof until === 'function') return true;
  if (typeof until === 'string') return until !== '';
  return Array.isArray(until) && until.length > 0 && until.every((status) => typeof status === 'string');
}

const rule = 'must be a function of the status, a status, or a list of them';

const readers: Readers<WaitForOptions> = {
  until: required(that(isCondition, rule), rule),
  interval: timeout,
  timeout,
  signal,
  headers,
  auth,
  onStatus: aFunction(),
};

/** Asks until the status is the one waited for. */
export async function waitForStatus(
  ask: (options: CallOptions) => Promise<OnboardingStatus>,
  given: WaitForOptions,
  timeoutOfOne: number,
): Promise<OnboardingStatus> {
  const { value = {}, issues } = readOptions(given, readers);
  if (issues.length > 0) throw new ValidationError(subject, issuesAt('options', issues));
  const { interval = 2_000, timeout = 600_000, signal, until = [], headers, auth, onStatus } = value;
  const isReached =
    typeof until === 'function'
      ? until
      : (status: OnboardingStatus) => listed(until).includes(status.status ?? '');
  let last: string | undefined;
  let asked = 0;
  const step = async (deadline: Deadline): Promise<Step<OnboardingStatus>> => {
    try {
      asked++;
      const left = Math.max(1, Math.min(deadline.remaining, timeoutOfOne));
      const call = { signal, headers, auth, maxRetries: 0, timeout: left };
      const status = await ask(call);
      const text = JSON.stringify(status);
      if (text !== last) notify(onStatus, () => structuredClone(status));
      last = text;
      // A function of the caller's may take its time, and more than there is.
      if (await deadline.race((async () => isReached(status))())) return new Answered(status);
      const now = typeof status.status === 'string' ? `it is ${status.status}` : 'it is another one';
      return {
        error: new TimeoutError(`${subject}: the status waited for did not come in time; ${now}.`, {
          attempts: asked,
        }),
      };
    } catch (error) {
      if (!isPaymentPlatformError(error) || !mayChange(error)) throw error;
      return { error, wait: error.retryAfter === undefined ? undefined : error.retryAfter * 1000 };
    }
  };
  return poll(subject, { interval, timeout, signal }, {}, step);
}

const listed = (until: string | readonly string[]) => (typeof until === 'string' ? [until] : until);
