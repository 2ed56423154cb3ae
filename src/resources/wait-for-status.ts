import type { OnboardingStatus } from '../contract/onboarding.js';
import { isRecord } from '../contract/record.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { TimeoutError } from '../errors/network.js';
import { type Issue, ValidationError } from '../errors/usage.js';
import type { CallOptions } from '../transport/call-options.js';
import { notify } from '../transport/hooks.js';
import { mayChange } from './passing.js';
import { poll, pollIssues, type Step } from './poll.js';

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
const known = new Set(['until', 'interval', 'timeout', 'signal', 'headers', 'auth', 'onStatus']);

function problems(options: Readonly<Record<string, unknown>>): Issue[] {
  const issues: Issue[] = [];
  for (const name of Object.keys(options)) {
    if (!known.has(name))
      issues.push({ path: `options.${name}`, message: `is no option (they are ${[...known].join(', ')})` });
  }
  const { until, onStatus } = options;
  const isStatus = typeof until === 'string' && until !== '';
  const isList =
    Array.isArray(until) && until.length > 0 && until.every((status) => typeof status === 'string');
  if (typeof until !== 'function' && !isStatus && !isList)
    issues.push({
      path: 'options.until',
      message: 'must be a function of the status, a status, or a list of them',
    });
  if (onStatus !== undefined && typeof onStatus !== 'function')
    issues.push({ path: 'options.onStatus', message: 'must be a function' });
  return issues;
}

/** Asks until the status is the one waited for. */
export async function waitForStatus(
  ask: (options: CallOptions) => Promise<OnboardingStatus>,
  given: WaitForOptions,
  timeoutOfOne: number,
): Promise<OnboardingStatus> {
  const issues = isRecord(given)
    ? problems(given)
    : [{ path: 'options', message: 'must be an object with until' }];
  const { interval = 2_000, timeout = 600_000, signal } = isRecord(given) ? given : ({} as WaitForOptions);
  issues.push(...pollIssues({ interval, timeout, signal }));
  if (issues.length > 0) throw new ValidationError(subject, issues);
  const { until, headers, auth, onStatus } = given;
  const isReached =
    typeof until === 'function'
      ? until
      : (status: OnboardingStatus) => listed(until).includes(status.status ?? '');
  let last: string | undefined;
  let asked = 0;
  const step = async (remaining: number): Promise<Step<OnboardingStatus>> => {
    try {
      asked++;
      const call = { signal, headers, auth, maxRetries: 0, timeout: Math.min(remaining, timeoutOfOne) };
      const status = await ask(call);
      const text = JSON.stringify(status);
      if (text !== last) notify(onStatus, () => structuredClone(status));
      last = text;
      if (await isReached(status)) return { answer: status };
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
