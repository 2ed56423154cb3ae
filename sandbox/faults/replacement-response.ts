import { isBytes } from '../../src/validation/builtins.js';
import { Parsed } from '../../src/validation/issue.js';
import {
  anything,
  type OptionReaders,
  readOptions,
  required,
  validIf,
} from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';

/** A response that replaces the platform's. */
export interface FaultResponse {
  /** 200 to 599. */
  status: number;
  /** Header values, which must be strings. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The body. Strings and bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
}

const statusRule = 'must be a status: an integer from 200 to 599';

/** A `Headers` object or a Map has no own fields, so its values would be lost. */
function isStringRecord(input: unknown): boolean {
  if (!isRecord(input)) return false;
  const prototype: object | null = Object.getPrototypeOf(input);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain && Object.values(input).every((value) => typeof value === 'string');
}

const optionReaders: OptionReaders<FaultResponse> = {
  status: required(
    validIf((value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599, statusRule),
    statusRule,
  ),
  headers: validIf(isStringRecord, 'must be a plain object of strings'),
  body: anything(),
};

/** Mistakes are reported when the rule is added. */
export function readFaultResponse(input: unknown): Parsed<FaultResponse> {
  const { value, issues } = readOptions(input, optionReaders, 'field');
  if (value?.status === undefined || issues.length > 0) return new Parsed<FaultResponse>(undefined, issues);
  const { status, headers, body } = value;
  try {
    const response = Object.freeze({
      status,
      ...(headers !== undefined && { headers: Object.freeze({ ...headers }) }),
      ...(body !== undefined && { body: deepFrozen(structuredClone(body)) }),
    });
    faultResponse(response);
    return new Parsed<FaultResponse>(response);
  } catch (error) {
    const message = `is a response that cannot be sent: ${(error as Error).message}`;
    return new Parsed<FaultResponse>(undefined, [{ path: '', message }]);
  }
}

/** `faults.pending` must not be able to change a rule. */
function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const entry of Object.values(value)) deepFrozen(entry);
  return Object.freeze(value);
}

/** Throws if the response cannot be sent. */
export function faultResponse({ status, headers = {}, body }: FaultResponse): Response {
  const response = isRaw(body)
    ? new Response(body, { status })
    : new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  // A page in a fault must not run scripts in the sandbox's origin.
  if (/html|xml/i.test(response.headers.get('content-type') ?? '')) {
    response.headers.set('content-security-policy', 'sandbox');
  }
  return response;
}

export function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> | undefined {
  return body === undefined || typeof body === 'string' || isBytes(body);
}
