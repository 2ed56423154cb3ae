import type { OperationId } from '../../contract/index.js';
import type { Fault } from './faults.js';
import type { RequestBody } from './request-body.js';
import { pathWithoutSecrets, textWithoutSecrets, withoutSecrets } from './without-secrets.js';

/**
 * A request that reached the sandbox. Credentials, PAN, CVV, webhook secrets and documents are not kept,
 * wherever they stand: a secret is `***`, and what could be a PAN (13 to 19 digits that pass the Luhn
 * check) is masked to its last four characters.
 */
export interface JournalRequest {
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
  /** Undefined when the path belongs to no operation. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  /** Undefined when no answer was sent. */
  readonly status: number | undefined;
  /** The fault that hit the request. */
  readonly fault: Fault | undefined;
  /**
   * Parsed; undefined when it could not be read, and for a form of more than 1 MB without valid
   * credentials. A form is shown as its fields, as they were sent, and a
   * file as `{ filename, contentType, size, sha256 }`.
   */
  readonly body: unknown;
  /** SHA-256 of the exact bytes, in hexadecimal. */
  readonly bodyDigest: string;
}

/**
 * Everything that was asked of the sandbox. What is refused before it is the platform's concern is not:
 * foreign hosts and origins, malformed requests, bodies that are too large.
 */
export interface SandboxJournal {
  readonly requests: readonly JournalRequest[];
}

/** An entry of which the outcome is still open. */
export type OpenEntry = { -readonly [Field in keyof JournalRequest]: JournalRequest[Field] };

/** Of so many requests without valid credentials the bodies are kept: whoever has none does not fill the memory. */
const mostRefused = 100;

export class Journal implements SandboxJournal {
  readonly #entries: OpenEntry[] = [];
  readonly #refused: OpenEntry[] = [];

  get requests(): readonly JournalRequest[] {
    return this.#entries.map((entry) => Object.freeze({ ...entry }));
  }

  /** Marks a request without valid credentials. The bodies of the latest of them are kept. */
  refused(entry: OpenEntry): void {
    this.#refused.push(entry);
    if (this.#refused.length <= mostRefused) return;
    const oldest = this.#refused.shift();
    if (oldest !== undefined) oldest.body = undefined;
  }

  /** Writes a request down; what comes of it is filled in later. */
  open(request: Request, bodyDigest: string, { value }: RequestBody, at: string): OpenEntry {
    const key = request.headers.get('x-idempotency-key');
    const entry: OpenEntry = {
      at,
      operation: undefined,
      method: request.method,
      path: pathWithoutSecrets(new URL(request.url)),
      idempotencyKey: key === null ? undefined : textWithoutSecrets(key),
      status: undefined,
      fault: undefined,
      body: withoutSecrets(value),
      bodyDigest,
    };
    this.#entries.push(entry);
    return entry;
  }
}
