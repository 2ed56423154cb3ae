import type { Sealer } from '../auth/sealed-text.js';
import { shapes } from '../contract/generated/shapes.js';
import type { CreatePayment, OpenCardPayment } from '../contract/payments/types.js';
import type { RuntimeSchema } from '../contract/runtime-schema.js';
import { StoreError } from '../errors/store.js';
import type { PaymentRow } from '../stores/payment-row.js';
import type { Issue } from '../validation/issue.js';
import { inOrder } from '../validation/json.js';
import { isRecord } from '../validation/record.js';
import { parseObject } from './recorded-request.js';

/**
 * A payment that can be stored: any payment without raw card data. Tokenize the card first
 * (`vault.tokenize`).
 */
export type DurablePayment = Exclude<CreatePayment, OpenCardPayment>;

/** PostgreSQL stores no NUL, and replaces a lone surrogate, so that two strings become one. */
export const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/\0|\p{Surrogate}/u.test(value);

/** The externalId links a notification to its payment. */
export function findExternalIdIssues(externalId: unknown, extraBody: object | undefined): Issue[] {
  return [
    ...(isStorable(externalId)
      ? []
      : [{ path: 'externalId', message: 'must be a non-empty string without NUL or lone surrogates' }]),
    ...(extraBody !== undefined && Object.hasOwn(extraBody, 'externalId')
      ? [{ path: 'options.extraBody.externalId', message: 'must be the externalId of the payment' }]
      : []),
  ];
}

export interface Payload {
  readonly payment: DurablePayment;
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

const tokenizeFirst =
  'must not be stored. Tokenize the card first (vault.tokenize) and pay with card.cardTokenId';
const encryptFirst = 'is not stored unencrypted. Set the option encryptionKeys';
const unknownField = 'is not in the API docs, so it is not stored unencrypted. Set the option encryptionKeys';

export function findUnstorableParts({ payment, extraBody }: Payload, isEncrypted: boolean): Issue[] {
  const body: Readonly<Record<string, unknown>> = { ...payment, ...extraBody };
  const issues: Issue[] = [];
  if (isRecord(body.card) && Object.hasOwn(body.card, 'number'))
    issues.push({ path: 'card.number', message: tokenizeFirst });
  if (hasName(body, 'cvv')) issues.push({ path: 'card.cvv', message: tokenizeFirst });
  if (isEncrypted || issues.length > 0) return issues;
  for (const path of ['wallet', 'threeDSData'])
    if (body[path] !== undefined) issues.push({ path, message: encryptFirst });
  const { request } = shapes['payments.create'];
  return request === undefined ? issues : [...issues, ...unknownFields(body, request, '')];
}

export function withoutSecrets({ payment, extraBody }: Payload): object {
  return removeSecrets({ ...payment, ...extraBody }, shapes['payments.create'].request);
}

const removeSecrets = (value: object, shape: RuntimeSchema | undefined): object =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const field = shape?.fields[name];
      if (field?.isSecret) return [];
      return [[name, isRecord(inner) ? removeSecrets(inner, field) : inner]];
    }),
  );

function hasName(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([own, inner]) => own.toLowerCase() === name || hasName(inner, name));
}

/** Objects whose fields the API docs do not show can have any field. */
function unknownFields(value: object, shape: RuntimeSchema, path: string): Issue[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = shape.fields[name];
    const at = `${path}${name}`;
    if (field === undefined) return [{ path: at, message: unknownField }];
    if (Array.isArray(inner)) {
      const { entries } = field;
      return inner.flatMap((entry, index) => inside(entry, entries, `${at}.${index}.`));
    }
    return inside(inner, field, `${at}.`);
  });
}

const inside = (value: unknown, shape: RuntimeSchema | undefined, path: string): Issue[] =>
  isRecord(value) && shape !== undefined && Object.keys(shape.fields).length > 0
    ? unknownFields(value, shape, path)
    : [];

/** `changed`: it is not the recorded payload. `unreadable`: this process cannot decrypt it. */
export type PayloadProblem = 'changed' | 'unreadable';

export class RowCodec<Payload extends object, Result extends object> {
  readonly #sealer: Sealer | undefined;
  readonly #scope: string;

  /** @param scope the kind of the rows, so that no row of another kind can be decrypted as one of them */
  constructor(sealer: Sealer | undefined, scope: string) {
    this.#sealer = sealer;
    this.#scope = scope;
  }

  async encodePayload(
    key: string,
    payload: Payload,
  ): Promise<{ readonly payload: string; readonly digest: string }> {
    const digest = await computeDigest(payload);
    const [text, sealed] = await Promise.all([
      this.#write(key, 'payload', payload),
      this.#sealer?.seal(this.#nameOf(key, 'digest'), digest),
    ]);
    return { payload: text, digest: sealed ?? digest };
  }

  /** Undefined if the row's digest is encrypted with a key that this process does not have. */
  async isSamePayload({ key, digest }: PaymentRow, payload: Payload): Promise<boolean | undefined> {
    const recorded = await this.#readDigest(key, digest);
    return recorded === undefined ? undefined : recorded === (await computeDigest(payload));
  }

  /** An unencrypted digest would let anybody who reads the table test guesses of a document number. */
  async #readDigest(key: string, digest: string): Promise<string | undefined> {
    return isPlainDigest(digest) ? digest : this.#sealer?.open(this.#nameOf(key, 'digest'), digest);
  }

  /** A row that was recorded unencrypted stays so, because the process that recorded it cannot decrypt. */
  async encodeResult({ key, payload, payment }: PaymentRow, result: object): Promise<string> {
    const present = payload ?? payment;
    const isPlain = this.#scope === '' && present !== null && !isSealed(present);
    return isPlain ? JSON.stringify(result) : this.#write(key, 'payment', result);
  }

  async readPayload({ key, payload, digest }: PaymentRow): Promise<Payload | PayloadProblem> {
    const read = payload === null ? undefined : await this.#read(key, 'payload', payload);
    if (read === undefined) return payload !== null && isSealed(payload) ? 'unreadable' : 'changed';
    try {
      const recorded = await this.#readDigest(key, digest);
      return (await computeDigest(read)) === recorded ? (read as unknown as Payload) : 'changed';
    } catch {
      // The JSON is nested too deeply for JSON.stringify. `create` and `enqueue` never record such a payload.
      return 'changed';
    }
  }

  async readResult({ key, payment }: PaymentRow): Promise<Result | undefined> {
    const read = payment === null ? undefined : await this.#read(key, 'payment', payment);
    return read as Result | undefined;
  }

  async #write(key: string, what: string, value: object): Promise<string> {
    const text = JSON.stringify(value);
    return this.#sealer === undefined ? text : this.#sealer.seal(this.#nameOf(key, what), text);
  }

  async #read(key: string, what: string, text: string): Promise<Record<string, unknown> | undefined> {
    // Only payments can be stored unencrypted. Any other plain text was not written by this package.
    if (!isSealed(text)) return this.#scope === '' ? parseObject(text) : undefined;
    return parseObject(await this.#sealer?.open(this.#nameOf(key, what), text));
  }

  #nameOf(key: string, what: string): string {
    // A payment's name never begins with a colon, and every other scope does.
    return `${this.#scope}${what}:${key}`;
  }
}

/** An encrypted string is base64, any other string a JSON object. */
const isSealed = (text: string): boolean => /^[\w+/]{32}[\w+/]*={0,2}$/.test(text);

const isPlainDigest = (digest: string): boolean => /^[0-9a-f]{64}$/.test(digest);

/** Computes the SHA-256 of a value as JSON, in hex, regardless of the order of its properties. */
async function computeDigest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value, inOrder));
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const unreadableData = (noun: string, key: string): StoreError =>
  new StoreError(
    `The stored data of the ${noun} ${key} is encrypted with a key that this process does not have. Nothing was changed. Give every process the old key and the new one before any of them encrypts with the new one.`,
  );
