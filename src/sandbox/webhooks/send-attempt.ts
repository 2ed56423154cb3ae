import { limits } from '../../contract/limits.js';
import type { Attempt } from './delivery.js';
import type { InProcessReceivers } from './in-process-receivers.js';

/** Sends one request and stores the outcome in the attempt. Never rejects. */
export async function post(
  attempt: Attempt,
  receivers: InProcessReceivers,
  signal: AbortSignal,
): Promise<void> {
  const { url, headers, body } = attempt;
  if (attempt.fault === 'drop') return fail(attempt, new Error('a fault dropped the request'));
  try {
    const response = await receivers.send(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    attempt.status = response.status;
    attempt.state = response.ok ? 'delivered' : 'failed';
    // Only the status counts, and an unread body would keep the connection open.
    response.body?.cancel().catch(() => undefined);
  } catch (error) {
    fail(attempt, error);
  }
}

export const noAnswer = () => new Error(`no answer within ${limits.webhookTimeoutSeconds} seconds`);

export function fail(attempt: Attempt, error: unknown): void {
  attempt.state = 'failed';
  attempt.error = reasonOf(error);
}

/** The message of any thrown value: a receiver in this process may throw anything. */
function reasonOf(error: unknown): string {
  try {
    return messageOf(error);
  } catch {
    return 'the receiver threw something that has no message';
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
