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
  /** The fault that hit the request. */
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
   * Undefined for a file, for more than 65536 characters, and if a fault replaced, slowed down or lost it.
   */
  readonly response: unknown;
}

/** Estimated bytes in addition to the body and the response. */
const overhead = 500;

const packed = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));

const unpacked = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

/** Body and response are kept as strings, which take a fraction of the memory of parsed values. */
export class JournalEntry implements Omit<JournalRequest, 'body' | 'response'> {
  readonly number: number;
  readonly at: string;
  operation: OperationId | undefined = undefined;
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  paymentId: string | undefined = undefined;
  status: number | undefined = undefined;
  fault: Fault | undefined = undefined;
  ignored: readonly string[] = [];
  readonly bodyDigest: string;
  #body: string | undefined;
  #response: string | undefined;

  constructor(
    input: Pick<
      JournalRequest,
      'number' | 'at' | 'method' | 'path' | 'idempotencyKey' | 'bodyDigest' | 'body'
    >,
  ) {
    this.number = input.number;
    this.at = input.at;
    this.method = input.method;
    this.path = input.path;
    this.idempotencyKey = input.idempotencyKey;
    this.bodyDigest = input.bodyDigest;
    this.body = input.body;
  }

  get body(): unknown {
    return unpacked(this.#body);
  }

  set body(value: unknown) {
    this.#body = packed(value);
  }

  set response(value: unknown) {
    this.#response = packed(value);
  }

  /** Estimated size in bytes. */
  get size(): number {
    const texts = [this.path, this.#body, this.#response, ...this.ignored];
    return texts.reduce((sum, text = '') => sum + text.length, overhead);
  }

  shown(paymentId: string | undefined): JournalRequest {
    const { number, at, operation, method, path, idempotencyKey, status, fault, ignored, bodyDigest } = this;
    const request = {
      number,
      at,
      operation,
      method,
      path,
      idempotencyKey,
      paymentId,
      status,
      fault,
      ignored,
    };
    return Object.freeze({ ...request, body: this.body, bodyDigest, response: unpacked(this.#response) });
  }
}
