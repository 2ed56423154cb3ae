import type { OperationId } from '../../contract/index.js';
import { isRecord } from '../../contract/record.js';
import { sha256 } from '../canonical.js';
import type { Fault } from './faults.js';
import type { RequestBody } from './request-body.js';
import { UploadedFile } from './uploaded-file.js';

/** A request that reached the sandbox. Credentials, PAN, CVV, webhook secrets and documents are not kept. */
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
   * Parsed, with card numbers masked to their last four digits; undefined when it could not be read. A
   * form is shown as its fields, as they were sent, and a file as `{ filename, contentType, size, sha256 }`.
   */
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
  open(request: Request, bytes: Uint8Array, { encoding, value }: RequestBody, at: string): OpenEntry {
    const { pathname, search } = new URL(request.url);
    const entry: OpenEntry = {
      at,
      operation: undefined,
      method: request.method,
      path: pathname + search,
      idempotencyKey: request.headers.get('x-idempotency-key') ?? undefined,
      status: undefined,
      fault: undefined,
      body: encoding === 'multipart' ? withoutDocuments(value) : withoutSecrets(value),
      bodyDigest: sha256(bytes),
    };
    this.#entries.push(entry);
    return entry;
  }
}

const hidden = '***';

const secretFields = ['cvv', 'hmac_secret', 'client_secret'];

function withoutSecrets(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const copy = withoutCardData(body);
  if (isRecord(copy.card)) copy.card = withoutCardData(copy.card);
  return copy;
}

/** The card of a payment, or of the vault, and the other secrets that bodies carry. */
function withoutCardData(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...fields };
  if (copy.number !== undefined) copy.number = maskedNumber(copy.number);
  for (const name of secretFields) {
    if (copy[name] !== undefined && copy[name] !== null) copy[name] = hidden;
  }
  return copy;
}

function withoutDocuments(form: unknown): unknown {
  if (!isRecord(form)) return form;
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(metadata) : metadata(value),
    ]),
  );
}

const metadata = (value: unknown) => (value instanceof UploadedFile ? { ...value } : value);

function maskedNumber(number: unknown): string {
  if (typeof number !== 'string' && typeof number !== 'number') return hidden;
  const text = String(number);
  return `${'*'.repeat(Math.max(text.length - 4, 0))}${text.slice(-4)}`;
}
