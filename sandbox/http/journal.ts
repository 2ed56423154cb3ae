import { booleanReader, integerReader, type OptionReaders } from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';
import { aText, readCheckedOptions } from '../arguments/checked-options.js';
import { computeSize, type JournalEntry, type JournalRequest, packed, unpacked } from './journal-entry.js';
import { hideFields, maskPath, maskSecrets } from './mask-secrets.js';
import type { RequestBody } from './request-body.js';
import { findJson } from './responses.js';

/** Selects requests in the journal. */
export interface JournalQuery {
  /** Selects the first requests after the request with this number. Default: the newest ones. */
  after?: number | undefined;
  /** The maximum number of requests, at least 1. Default: all. */
  limit?: number | undefined;
  /** Only requests about the payment with this id. */
  payment?: string | undefined;
  /** If true, only requests with a status from 400. Default false. */
  rejected?: boolean | undefined;
}

const queryReaders: OptionReaders<JournalQuery> = {
  after: integerReader(0, 'the number of a request'),
  limit: integerReader(1, 'a number of requests'),
  payment: aText,
  rejected: booleanReader,
};

/**
 * The API requests that the sandbox received, except those for an unknown host or from another origin,
 * malformed HTTP requests, and those whose body is too large.
 */
export interface SandboxJournal {
  /** Requests in the order of arrival. Beyond `maxJournal` bytes the oldest are dropped. */
  readonly requests: readonly JournalRequest[];
  /** The number of dropped requests. */
  readonly forgotten: number;
  /**
   * Lists a part of the requests, in the order of arrival, without copying the others.
   *
   * @throws TypeError that names every problem of the query.
   */
  list(query?: JournalQuery): readonly JournalRequest[];
}

/** The share of the journal that is dropped at once. */
const slack = 0.1;

/** In characters. Longer responses would fill the memory. */
const longestResponse = 64 * 1024;

/** The key differs in every run, but the journal of a seed must always be the same. */
const keyDependentFields = ['', 'data.'].flatMap((path) => [
  `${path}signingRequestPem`,
  `${path}publicKeyFingerprint`,
]);

/** A field with a token can have any name, so only fields known to be harmless are kept. */
function hiddenFields(
  operation: JournalEntry['operation'],
  response: unknown,
): readonly string[] | undefined {
  if (operation === 'oauth.token' && isRecord(response))
    return Object.keys(response).filter((name) => name !== 'token_type' && name !== 'expires_in');
  return operation?.startsWith('certificates.') ? keyDependentFields : undefined;
}

/** Finds the payment that the merchant with these credentials created with the key. */
type FindPayment = (clientId: string, idempotencyKey: string) => string | undefined;

const isRejected = ({ status = 0 }: JournalEntry) => status >= 400;

export class Journal implements SandboxJournal {
  readonly #entries: JournalEntry[] = [];
  readonly #findPayment: FindPayment;
  /** In bytes, of all entries. */
  readonly #most: number;
  readonly #clients = new WeakMap<JournalEntry, string>();
  #bytes = 0;
  #last = 0;

  constructor(most: number, findPayment: FindPayment) {
    this.#most = most;
    this.#findPayment = findPayment;
  }

  get requests(): readonly JournalRequest[] {
    return this.#entries.map((entry) => this.#shown(entry));
  }

  get forgotten(): number {
    return this.#last - this.#entries.length;
  }

  /** Includes dropped requests. */
  get size(): number {
    return this.#last;
  }

  /**
   * The first client id of the merchant whose client id or access token the request has, even with a wrong
   * secret. Undefined for any other request, such as one for a token.
   */
  findClient(number: number): string | undefined {
    const entry = this.#entries[number - this.forgotten - 1];
    return entry && this.#clients.get(entry);
  }

  countRejected(): number {
    return this.#entries.filter(isRejected).length;
  }

  list(query: JournalQuery = {}): readonly JournalRequest[] {
    const {
      after,
      limit = this.size,
      payment,
      rejected = false,
    } = readCheckedOptions('journal.list', query, queryReaders);
    if (payment !== undefined || rejected) {
      const selected = (rejected ? this.#entries.filter(isRejected) : this.#entries)
        .map((entry) => this.#shown(entry))
        .filter(({ paymentId }) => payment === undefined || paymentId === payment);
      return after === undefined
        ? selected.slice(-limit)
        : selected.filter(({ number }) => number > after).slice(0, limit);
    }
    const start = Math.max((after ?? this.size - limit) - this.forgotten, 0);
    return this.#entries.slice(start, start + limit).map((entry) => this.#shown(entry));
  }

  clear(): void {
    this.#entries.length = 0;
    this.#bytes = 0;
    this.#last = 0;
  }

  keepResponse(entry: JournalEntry, response: Response): void {
    const written = findJson(response);
    if (written === undefined || written.length > longestResponse) return;
    const hidden = hiddenFields(entry.operation, written.value);
    const before = computeSize(entry);
    const shown = hidden === undefined ? written.value : hideFields(written.value, hidden);
    entry.response = packed(maskSecrets(shown));
    if (entry.number <= this.forgotten) return;
    this.#bytes += computeSize(entry) - before;
    this.#forget();
  }

  open(
    request: Request,
    bodyDigest: string,
    { value }: RequestBody,
    at: string,
    clientId: string | undefined,
  ): JournalEntry {
    this.#last += 1;
    const entry: JournalEntry = {
      number: this.#last,
      at,
      operation: undefined,
      method: request.method,
      path: maskPath(new URL(request.url)),
      idempotencyKey: request.headers.get('x-idempotency-key') ?? undefined,
      paymentId: undefined,
      status: undefined,
      fault: undefined,
      ignored: [],
      body: packed(maskSecrets(value)),
      bodyDigest,
      response: undefined,
    };
    if (clientId !== undefined) this.#clients.set(entry, clientId);
    this.#entries.push(entry);
    this.#bytes += computeSize(entry);
    this.#forget();
    return entry;
  }

  /** The latest entry always stays. */
  #forget(): void {
    if (this.#bytes <= this.#most) return;
    // A long list is shortened in batches, because each removal moves all remaining entries.
    const goal = this.#most * (1 - slack);
    let count = 0;
    while (this.#bytes > goal && count < this.#entries.length - 1) {
      this.#bytes -= computeSize(this.#entries[count] as JournalEntry);
      count += 1;
    }
    this.#entries.splice(0, count);
  }

  #shown(entry: JournalEntry): JournalRequest {
    const { operation, idempotencyKey, body, response } = entry;
    const clientId = this.#clients.get(entry);
    const isKeyed = operation === 'payments.create' && clientId !== undefined && idempotencyKey !== undefined;
    const paymentId = entry.paymentId ?? (isKeyed ? this.#findPayment(clientId, idempotencyKey) : undefined);
    return Object.freeze({ ...entry, paymentId, body: unpacked(body), response: unpacked(response) });
  }
}
