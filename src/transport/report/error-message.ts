import type { Replay } from '../../contract/operation.js';
import type { Outcome } from '../../errors/base.js';
import { isRecord } from '../../input/record.js';
import type { CallSpec } from '../prepare/call-spec.js';

/** The message in the platform's error body. Its shape is undocumented, so the usual fields are tried. */
export function platformMessage(body: unknown): string | undefined {
  const candidates = isRecord(body)
    ? [body.message, isRecord(body.error) ? body.error.message : body.error, body.detail, body.title]
    : [body];
  const found = candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
  );
  if (found === undefined) return undefined;
  const line = found.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

const adviceWhenUnknown: Readonly<Record<Replay, string>> = {
  natural: 'It may have been executed; sending it again is harmless.',
  keyed:
    'It may have been executed: resume with the same idempotency key (error.idempotencyKey), never with a new one.',
  never:
    'It may have been executed, and sending it again could execute it twice: find out first whether it was.',
};

/** The parts of a call that decide what to do after an unknown outcome. */
interface FailedRequest {
  readonly spec: Pick<CallSpec, 'replay' | 'onUnknown'>;
  readonly repeatable: boolean;
}

/** Says whether the call was executed, and what to do next. */
function adviceFor(outcome: Outcome, { spec, repeatable }: FailedRequest): string {
  if (outcome === 'not-executed') return 'Nothing was executed.';
  if (outcome === 'executed') return 'It was executed: do not send it again.';
  const { replay, onUnknown } = spec;
  // A keyed operation that was sent without a key cannot be resumed.
  if (replay === 'keyed' && !repeatable) return adviceWhenUnknown.never;
  return onUnknown === undefined ? adviceWhenUnknown[replay] : `It may have been executed: ${onUnknown}.`;
}

/**
 * The message of an error: what happened, what the platform said, the fields that it named, what to do.
 * `outcome` is left out for reads.
 */
export function describeFailure(
  operation: string,
  summary: string,
  platform: string | undefined,
  fields: readonly string[],
  outcome: Outcome | undefined,
  call: FailedRequest,
): string {
  const platformSaid = platform === undefined ? '' : ` The platform says: "${platform}"`;
  const platformNames = fields.length === 0 ? '' : ` It names: ${fields.join(', ')}.`;
  const advice = outcome === undefined ? '' : ` ${adviceFor(outcome, call)}`;
  return `${operation}: ${summary}.${platformSaid}${platformNames}${advice}`;
}
