import type { Sandbox } from '../../sandbox/index.js';
import type { Samples } from '../../sandbox/testing/index.js';
import type { PaymentPlatform } from '../../src/index.js';
import type { Line } from '../../tools/conformance/entry.js';
import type { SampleValues } from './sample-values.js';

/** What tests, pages and the conformance suite know about an operation, apart from its contract. */
export interface OperationRecord {
  /** The heading in the API docs that describes the operation. */
  readonly section: string;
  /** The API docs' statements under the heading. The first operation of a heading has them. */
  readonly statements?: { readonly prefix: string; readonly lines: readonly Line[] };
  /** The sample in the reference. The page shows the function's body, and a test runs the function. */
  readonly sample: (values: SampleValues) => unknown;
  /** Brings the sandbox into the state that the sample needs. */
  readonly beforeSample?: (sandbox: Sandbox, values: SampleValues) => unknown;
  /**
   * Calls with the samples of `payment-platform/testing`, which the sandbox accepts. Required for a body with a
   * required field.
   */
  readonly testSamples?: readonly ((parts: SampleParts) => Promise<unknown>)[];
  readonly wire: WireForm;
  readonly minimal: Minimal;
}

/** A sandbox with its client, and the samples of `payment-platform/testing`. */
export interface SampleParts {
  readonly platform: PaymentPlatform;
  readonly sandbox: Sandbox;
  readonly samples: Samples;
}

/** The expected form of a call on the wire. */
export interface WireForm {
  readonly call: (platform: PaymentPlatform) => Promise<unknown>;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** The JSON body; undefined if the request has no body. */
  readonly json?: unknown;
  /** A form's string fields, and the bytes of its files. */
  readonly form?: Readonly<Record<string, string | Uint8Array>>;
  /** The idempotency key: none, or a UUID v4 that the SDK generates. */
  readonly key: 'none' | 'uuid';
  /** The platform's response, which the caller receives. */
  readonly response: object;
}

/** The client without types, which require more than the documented minimum. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers have no types
type Loose = any;

/** Requests with the documented minimum, which the SDK must send, and responses that must not cause drift. */
interface Minimal {
  readonly requests: readonly ((platform: Loose) => Promise<unknown>)[];
  readonly responses: readonly unknown[];
}
