import type { OperationId } from '../../contract/index.js';
import { anInteger, type Readers } from '../../input/options.js';
import { aText, checkedOptions } from '../calls/checked-options.js';
import type { Fault } from '../faults/fault-kinds.js';
import { JsonResponse } from './answers.js';
import { hideFields, maskPath, maskSecrets } from './mask-secrets.js';
import type { RequestBody } from './request-body.js';

/**
 * A request that the sandbox received. The values of the contract's secret fields (CVV, tokens, webhook
 * secrets, credentials) are `***`, of a card's number the last four digits are kept, and of documents no
 * bytes. Elsewhere a body is kept as it came: a sandbox is for test data.
 */
export interface JournalRequest {
  /** Its place in the journal: 1 for the first request. */
  readonly number: number;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
  /** Undefined if no operation has the method and path. */
  readonly operation: OperationId | undefined;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The header `x-idempotency-key`; undefined if it was not sent. */
  readonly idempotencyKey: string | undefined;
  /**
   * UUID of the payment that it created, repeated or read; for an attempt that failed, of the one that another attempt
   * with its key created. Undefined for a request about no payment.
   */
  readonly paymentId: string | undefined;
  /** Undefined as long as no answer was sent. */
  readonly status: number | undefined;
  /** The fault that hit the request. */
  readonly fault: Fault | undefined;
  /**
   * Parsed; undefined if it could not be read, if a fault hit the request before it was read, and for a form of
   * more than 1 MB without valid credentials. A form is an object of its fields, and a file
   * `{ filename, contentType, size, sha256 }` with the size in bytes.
   */
  readonly body: unknown;
  /**
   * SHA-256 in hexadecimal: of the exact bytes; for a form that could be read, of its content, because its
   * boundary is random: the names and texts of its fields, and the names, types and bytes of its files. Of no
   * bytes if a fault hit the request before they were read.
   */
  readonly bodyDigest: string;
  /**
   * The JSON of the answer, without secrets and without fields that depend on the key of a certificate; undefined for
   * a file, for more than 64 KiB, and if a fault replaced or lost the answer.
   */
  readonly answer: unknown;
  /** The paths of the fields of the body that the sandbox does not know, such as `boleto.dueDate`. */
  readonly ignored?: readonly string[];
}

/** Which requests of the journal are returned. */
export interface JournalQuery {
  /** The number of a request: the first ones after it are returned. Default: the newest ones. */
  after?: number | undefined;
  /** The most requests to return, at least 1. Default: all. */
  limit?: number | undefined;
  /** Only requests about the payment with this id. */
  payment?: string | undefined;
}

const queryReaders: Readers<JournalQuery> = {
  after: anInteger(0, 'the number of a request'),
  limit: anInteger(1, 'a number of requests'),
  payment: aText,
};

/**
 * The requests that the sandbox received. Requests that a real platform would not see are not in it:
 * unknown hosts and foreign origins, malformed requests, bodies that are too large.
 */
export interface SandboxJournal {
  /** In the order of arrival. */
  readonly requests: readonly JournalRequest[];
  /**
   * A part of the requests, in the order of arrival, without copying the others.
   *
   * @throws TypeError that names every problem of the query.
   */
  list(query?: JournalQuery): readonly JournalRequest[];
}

/** An entry whose operation, fault and status are filled in later. */
export type OpenEntry = { -readonly [Field in keyof JournalRequest]: JournalRequest[Field] };

/** The most requests without valid credentials whose bodies are kept, so that they do not fill the memory. */
const mostRefused = 100;

/** Characters. Longer answers are not kept, so that they do not fill the memory. */
const longestAnswer = 64 * 1024;

/** Fields that depend on a certificate's key, which differs in every run: the journal of a seed must not differ. */
const keyDependentFields = ['', 'data.'].flatMap((path) => [
  `${path}signingRequestPem`,
  `${path}publicKeyFingerprint`,
]);

export class Journal implements SandboxJournal {
  readonly #entries: OpenEntry[] = [];
  readonly #refused: OpenEntry[] = [];
  readonly #paymentOf: (idempotencyKey: string) => string | undefined;

  /** @param paymentOf finds the payment that was created with a key. */
  constructor(paymentOf: (idempotencyKey: string) => string | undefined) {
    this.#paymentOf = paymentOf;
  }

  get requests(): readonly JournalRequest[] {
    return this.#entries.map((entry) => this.#shown(entry));
  }

  /** The number of requests. */
  get size(): number {
    return this.#entries.length;
  }

  list(query: JournalQuery = {}): readonly JournalRequest[] {
    const { after, limit = this.size, payment } = checkedOptions('journal.list', query, queryReaders);
    if (payment !== undefined) {
      const about = this.requests.filter(({ paymentId }) => paymentId === payment);
      return after === undefined
        ? about.slice(-limit)
        : about.filter(({ number }) => number > after).slice(0, limit);
    }
    const start = after ?? Math.max(this.size - limit, 0);
    return this.#entries.slice(start, start + limit).map((entry) => this.#shown(entry));
  }

  clear(): void {
    this.#entries.length = 0;
    this.#refused.length = 0;
  }

  /** Marks a request without valid credentials. Only the latest of them keep their bodies. */
  refused(entry: OpenEntry): void {
    this.#refused.push(entry);
    if (this.#refused.length <= mostRefused) return;
    const oldest = this.#refused.shift();
    if (oldest !== undefined) oldest.body = undefined;
  }

  /** Keeps the answer to a request, without its secrets. */
  answered(entry: OpenEntry, response: Response): void {
    if (!(response instanceof JsonResponse) || response.length > longestAnswer) return;
    const isRepeatable = entry.operation?.startsWith('certificates.') !== true;
    entry.answer = maskSecrets(
      isRepeatable ? response.value : hideFields(response.value, keyDependentFields),
    );
  }

  /** Adds an entry for a request. */
  open(request: Request, bodyDigest: string, { value }: RequestBody, at: string): OpenEntry {
    const key = request.headers.get('x-idempotency-key');
    const entry: OpenEntry = {
      number: this.size + 1,
      at,
      operation: undefined,
      method: request.method,
      path: maskPath(new URL(request.url)),
      idempotencyKey: key ?? undefined,
      paymentId: undefined,
      status: undefined,
      fault: undefined,
      body: maskSecrets(value),
      bodyDigest,
      answer: undefined,
    };
    this.#entries.push(entry);
    return entry;
  }

  #shown(entry: OpenEntry): JournalRequest {
    const { operation, idempotencyKey } = entry;
    const isKeyed = operation === 'payments.create' && idempotencyKey !== undefined;
    const paymentId = entry.paymentId ?? (isKeyed ? this.#paymentOf(idempotencyKey) : undefined);
    return Object.freeze({ ...entry, paymentId });
  }
}
