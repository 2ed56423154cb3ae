import type { OperationId } from '../../src/contract/index.js';
import type { Fault } from '../faults/fault-kinds.js';

/**
 * A request that the sandbox received. Secret fields of the contract (CVV, tokens, webhook secrets,
 * credentials) are `***`. Only the last four digits of a card number are kept, and no bytes of documents.
 * Everything else is kept unchanged, because a sandbox is for test data.
 */
export interface JournalRequest {
  /** The position in the journal: 1 for the first request. */
  readonly number: number;
  /** The time of arrival: ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
  /** The operation; undefined if no operation has the method and path. */
  readonly operation: OperationId | undefined;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The header `x-idempotency-key`; undefined if the request has none. */
  readonly idempotencyKey: string | undefined;
  /**
   * UUID of the payment that the request created, repeated or read. For a failed attempt, this is the payment
   * that another attempt with the same idempotency key created. Undefined for a request that is not about a
   * payment.
   */
  readonly paymentId: string | undefined;
  /** The response's HTTP status; undefined until a response is sent. */
  readonly status: number | undefined;
  /** The fault that hit the request. Of a response that replaced the platform's, only the status. */
  readonly fault: Fault | undefined;
  /**
   * The parsed body. Undefined if it could not be read or was not kept, and if a fault hit the request
   * before it was read. A form is an object of its fields, and a file `{ filename, contentType, size,
   * sha256 }` with the size in bytes.
   */
  readonly body: unknown;
  /**
   * Fields that the sandbox does not know and therefore ignores: dotted paths as sent, such as
   * `boleto.dueDate`. Query and header fields begin with `query.` and `headers.`. At most 100.
   */
  readonly ignored: readonly string[];
  /**
   * SHA-256 of the exact bytes, in hexadecimal. A readable form has a random boundary, so its contents are
   * hashed instead: the names and values of its fields, and the names, types and bytes of its files. Zero
   * bytes are hashed if a fault hit the request before its body was read.
   */
  readonly bodyDigest: string;
  /**
   * The JSON of the response, without secrets and without fields that depend on a certificate's key.
   * Undefined for a file, for more than 65536 characters, and if a fault slowed it down or lost it.
   */
  readonly response: unknown;
}

/**
 * A request in the journal. Body and response are JSON, which takes a fraction of the memory of parsed values.
 */
export type JournalEntry = {
  -readonly [Name in keyof JournalRequest]: Name extends 'body' | 'response'
    ? string | undefined
    : JournalRequest[Name];
};

export const packed = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

export const unpacked = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

/** Estimated bytes in addition to the strings. */
const overhead = 500;

/** Estimated size in bytes. */
export const computeSize = ({ path, body, response, ignored }: JournalEntry): number =>
  [path, body, response, ...ignored].reduce((sum, text = '') => sum + text.length, overhead);
