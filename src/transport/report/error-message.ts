import type { Replay } from '../../contract/operation.js';
import type { Outcome } from '../../errors/base.js';
import { ended } from '../../input/issue.js';
import type { MessageRedactor } from '../../redact/message-redactor.js';
import type { CallSpec } from '../call/call-spec.js';
import type { ResponseHead } from '../send/engine.js';

/** What to do after an unknown outcome. `{key}` is the idempotency key of the call. */
const adviceWhenUnknown: Readonly<Record<Replay, string>> = {
  natural: 'The call may have been executed. Retrying it is harmless.',
  keyed: 'The call may have been executed. Retry with the same key ({key}), not with a new one.',
  never:
    'The call may have been executed. Check whether it was before you retry: a retry could execute it twice.',
};

/** The parts of a call that decide what to do after an unknown outcome. */
interface FailedRequest {
  readonly spec: Pick<CallSpec, 'id' | 'replay' | 'adviceIfUnknown'>;
  readonly key: string | undefined;
  readonly repeatable: boolean;
}

/** Says whether the call was executed, and what to do next. */
function adviceFor(outcome: Outcome, { spec, key, repeatable }: FailedRequest): string {
  if (outcome === 'not-executed') return 'Nothing was executed.';
  const { replay, adviceIfUnknown } = spec;
  // A keyed operation that was sent without a key cannot be resumed.
  if (replay === 'keyed' && !repeatable) return adviceWhenUnknown.never;
  return (adviceIfUnknown ?? adviceWhenUnknown[replay]).replace('{key}', key ?? 'error.idempotencyKey');
}

/** The parts of an error's message. */
interface Failure {
  readonly call: FailedRequest;
  readonly summary: string;
  /** Further sentences, if there are any. */
  readonly why?: readonly (string | undefined)[];
  /** What the platform or a gateway said. */
  readonly said?: string;
  /** Left out for reads. */
  readonly outcome: Outcome | undefined;
}

/** The message of an error: what happened, what the platform said, whether the call was executed, what to do. */
export function describeFailure({ call, summary, why = [], said = '', outcome }: Failure): string {
  const advice = outcome === undefined ? '' : adviceFor(outcome, call);
  const sentences = [summary, ...why].filter((part) => part !== undefined).map(ended);
  return [`${call.spec.id}:`, ...sentences, said, advice].filter((part) => part !== '').join(' ');
}

/** Says who answered with a page: platforms answer with JSON. */
export function pageSummary(head: ResponseHead, redactor: MessageRedactor): string {
  const names = [head.header('server'), head.header('via')].filter(
    (name) => name !== undefined && name !== '',
  );
  const name = names.length === 0 ? '' : ` (${redactor.show(names.join(', ')).slice(0, 100)})`;
  return `a gateway or proxy${name} responded with a page (${head.status}), not the platform`;
}
