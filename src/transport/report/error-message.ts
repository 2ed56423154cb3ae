import type { Replay } from '../../contract/operation.js';
import type { Outcome } from '../../errors/base.js';
import { isRecord } from '../../input/record.js';
import type { CallSpec } from '../prepare/call-spec.js';

/** What the platform says of an error, wherever it says it: the shape of its error bodies is not shown. */
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

const afterUnknown: Readonly<Record<Replay, string>> = {
  natural: 'It may have been executed; sending it again is harmless.',
  keyed:
    'It may have been executed: resume with the same idempotency key (error.idempotencyKey), never with a new one.',
  never: 'It may have been executed, and a repeat could execute it twice: find out before you send it again.',
};

/** What decides how a call goes on whose outcome is unknown. */
interface Sendable {
  readonly spec: Pick<CallSpec, 'replay' | 'onUnknown'>;
  readonly repeatable: boolean;
}

/** What a person should know, and do next. */
function advice(outcome: Outcome, { spec, repeatable }: Sendable): string {
  if (outcome === 'not-executed') return 'Nothing was executed.';
  if (outcome === 'executed') return 'It was executed: do not send it again.';
  const { replay, onUnknown } = spec;
  // Without its key a call cannot be resumed.
  if (replay === 'keyed' && !repeatable) return afterUnknown.never;
  return onUnknown === undefined ? afterUnknown[replay] : `It may have been executed: ${onUnknown}.`;
}

/** The message of an error: what happened, what the platform said, what to do. `outcome` is left out for reads. */
export function describeFailure(
  operation: string,
  summary: string,
  platform: string | undefined,
  outcome: Outcome | undefined,
  call: Sendable,
): string {
  const said = platform === undefined ? '' : ` The platform says: "${platform}"`;
  return `${operation}: ${summary}.${said}${outcome === undefined ? '' : ` ${advice(outcome, call)}`}`;
}
