import type { OperationId } from '../contract/index.js';
import { isRecord } from '../contract/record.js';
import { sha256 } from './canonical.js';
import type { Fault } from './faults.js';

/** A request that reached the sandbox. Credentials, PAN, CVV and webhook secrets are not kept. */
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
  /** Parsed, with `card.number` masked to its last four digits; undefined when it was not JSON. */
  readonly body: unknown;
  /** SHA-256 of the exact bytes, in hexadecimal. */
  readonly bodyDigest: string;
}

/** Everything that was asked of the sandbox. */
export interface SandboxJournal {
  readonly requests: readonly JournalRequest[];
}

/** An entry of which the outcome is still open. */
export type OpenEntry = { -readonly [Field in keyof JournalRequest]: JournalRequest[Field] };

export class Journal implements SandboxJournal {
  readonly #entries: OpenEntry[] = [];

  get requests(): readonly JournalRequest[] {
    return this.#entries.map((entry) => Object.freeze({ ...entry }));
  }

  /** Writes a request down; what comes of it is filled in later. */
  open(request: Request, bytes: Uint8Array, body: unknown, at: string): OpenEntry {
    const { pathname, search } = new URL(request.url);
    const entry: OpenEntry = {
      at,
      operation: undefined,
      method: request.method,
      path: pathname + search,
      idempotencyKey: request.headers.get('x-idempotency-key') ?? undefined,
      status: undefined,
      fault: undefined,
      body: withoutSecrets(body),
      bodyDigest: sha256(bytes),
    };
    this.#entries.push(entry);
    return entry;
  }
}

const hidden = '***';

function withoutSecrets(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const copy: Record<string, unknown> = { ...body };
  if (isRecord(copy.card)) {
    const card: Record<string, unknown> = { ...copy.card };
    if (card.number !== undefined) card.number = maskedNumber(card.number);
    if (card.cvv !== undefined) card.cvv = hidden;
    copy.card = card;
  }
  if (copy.hmac_secret !== undefined && copy.hmac_secret !== null) copy.hmac_secret = hidden;
  return copy;
}

function maskedNumber(number: unknown): string {
  if (typeof number !== 'string' && typeof number !== 'number') return hidden;
  const text = String(number);
  return `${'*'.repeat(Math.max(text.length - 4, 0))}${text.slice(-4)}`;
}
