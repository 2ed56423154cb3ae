import type { Replay } from '../../contract/operation.js';
import type { ErrorBody, Outcome } from '../../errors/base.js';
import type { CallSpec } from '../call/call-spec.js';

const adviceWhenUnknown: Readonly<Record<Replay, string>> = {
  natural: 'It may have been executed; sending it again is harmless.',
  keyed:
    'It may have been executed: resume with the same idempotency key (error.idempotencyKey), never with a new one.',
  never:
    'It may have been executed, and sending it again could execute it twice: find out first whether it was.',
};

/** The parts of a call that decide what to do after an unknown outcome. */
interface FailedRequest {
  readonly spec: Pick<CallSpec, 'replay' | 'adviceIfUnknown'>;
  readonly repeatable: boolean;
}

/** Says whether the call was executed, and what to do next. */
function adviceFor(outcome: Outcome, { spec, repeatable }: FailedRequest): string {
  if (outcome === 'not-executed') return 'Nothing was executed.';
  const { replay, adviceIfUnknown } = spec;
  // A keyed operation that was sent without a key cannot be resumed.
  if (replay === 'keyed' && !repeatable) return adviceWhenUnknown.never;
  return adviceIfUnknown === undefined
    ? adviceWhenUnknown[replay]
    : `It may have been executed: ${adviceIfUnknown}.`;
}

/**
 * The message of an error: what happened, what the platform said, the fields that it named, what to do.
 * `outcome` is left out for reads.
 */
export function describeFailure(
  operation: string,
  summary: string,
  { message: platform, fields = [] }: ErrorBody,
  outcome: Outcome | undefined,
  call: FailedRequest,
): string {
  const platformSaid = platform === undefined ? '' : ` The platform says: "${platform}"`;
  const platformNames = fields.length === 0 ? '' : ` It names: ${fields.join(', ')}.`;
  const advice = outcome === undefined ? '' : ` ${adviceFor(outcome, call)}`;
  return `${operation}: ${summary}.${platformSaid}${platformNames}${advice}`;
}
