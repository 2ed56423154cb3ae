import type { SandboxControl } from '../control/control.js';
import type { SandboxWebhooks } from '../control/webhooks.js';
import type { SandboxFaults } from '../faults/request-faults.js';
import type { SandboxJournal } from '../http/journal.js';
import type { SandboxClientOptions } from '../merchants/client-options.js';
import type { MerchantOptions } from '../merchants/merchant.js';
import type { SandboxLedger } from '../payments/ledger.js';
import type { Changes } from '../state/changes.js';
import type { SandboxClock } from '../time/clock.js';
import type { Fields, JsonSchema, Values } from './fields.js';

/** What the control API acts on. */
export interface ControlledSandbox {
  readonly clock: SandboxClock;
  readonly control: SandboxControl;
  readonly faults: SandboxFaults;
  readonly journal: SandboxJournal;
  readonly ledger: SandboxLedger;
  readonly webhooks: SandboxWebhooks;
  readonly changes: Changes;
  /** Aborted when the sandbox is closed. */
  readonly closing: AbortSignal;
  /** The numbers of the long lists, which are not read for them. */
  counts(): Readonly<Record<'payments' | 'requests' | 'deliveries', number>>;
  clientOptions(): Pick<SandboxClientOptions, 'baseUrl' | 'clientId' | 'clientSecret' | 'fetch'>;
  addMerchant(options: MerchantOptions): {
    readonly clientId: string;
    clientOptions(): Pick<SandboxClientOptions, 'clientId' | 'clientSecret'>;
  };
  reset(): Promise<void>;
}

/** What an action is called with. */
interface Input<Body extends Fields, Query extends Fields> {
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Values<Body>;
  readonly query: Values<Query>;
}

/** How an answer is described. */
export interface AnswerDescription {
  readonly description: string;
  /** Of a JSON answer. */
  readonly schema?: JsonSchema;
  /** The media types of another answer. */
  readonly types?: readonly string[];
}

/** An action of the control API, from which its route, its description and its documentation follow. */
export interface Action<Body extends Fields = Fields, Query extends Fields = Fields> {
  /** Its name, such as `payments.pay`. The part before the dot is its group. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/_sandbox`, such as `/payments/{id}/pay`. */
  readonly path: string;
  readonly summary: string;
  /** The fields of its JSON body; undefined if it has none. If no field is required, the body is optional. */
  readonly body?: Body;
  readonly query?: Query;
  readonly answer: AnswerDescription;
  /** The status for an Error of the control that has no class of its own. Default 409. */
  readonly refusal?: 400;
  /** Whether the present state can forbid it. */
  readonly conflicts?: boolean;
  /** @returns a value that is answered as JSON, or the answer itself. */
  run(sandbox: ControlledSandbox, input: Input<Body, Query>): unknown;
}

/** An action, whatever its fields. */
export type AnyAction = Action<Fields, Fields>;

type None = Record<never, never>;

/** Infers the types of the fields. */
export const action = <Body extends Fields = None, Query extends Fields = None>(
  given: Action<Body, Query>,
): AnyAction => given as unknown as AnyAction;
