import { shapes } from '../../src/contract/generated/shapes.js';
import {
  findWireName,
  listNamedShapes,
  type Overrides,
  readOverrides,
  requestIdField,
} from '../../src/contract/overrides.js';
import { issuesIn } from '../../src/contract/read-value.js';
import type { RuntimeSchema } from '../../src/contract/runtime-schema.js';
import { readFieldNames, valueAt } from '../../src/contract/wire-names.js';
import { closestName, plainName } from '../../src/validation/closest-name.js';
import { isRecord } from '../../src/validation/record.js';
import { type DoctorCheck, describeError, findStatus, ok, warning } from './check.js';
import type { DiagnosisContext, DriftEntry } from './diagnosis-context.js';

/** Operations without an id. */
const listOperations = [
  ['webhooks.list', '/v1/webhooks'],
  ['domains.list', '/v1/payment-method-domains'],
  ['certificates.list', '/v1/certificates'],
] as const;

export async function* checkDrift(
  context: DiagnosisContext,
): AsyncGenerator<DoctorCheck, string | undefined> {
  const { platform, call, drift } = context;
  const unread: string[] = [];
  for (const [operation, path] of listOperations) {
    try {
      const raw = await platform.request({ method: 'GET', path }, { ...call, maxRetries: 0 });
      noteDrift(context, operation, shapes[operation].response, raw);
    } catch (error) {
      unread.push(`${operation} (${findStatus(error) ?? describeError(error)})`);
    }
  }
  const notRead = unread.length === 0 ? '' : ` Not read: ${unread.join(', ')}.`;
  if (unread.length === listOperations.length && drift.length === 0)
    return `No list could be read.${notRead}`;
  if (drift.length === 0) yield ok('drift', `The responses are as in the API docs.${notRead}`);
  else
    yield warning(
      'drift',
      `${drift.length} ${drift.length === 1 ? 'difference' : 'differences'} from the API docs.${notRead}`,
      'Your code must not depend on those fields. The client delivers them as they came.',
    );
  return undefined;
}

/** @returns the fields with the SDK's names */
export function noteDrift(
  context: DiagnosisContext,
  operation: string,
  shape: RuntimeSchema | undefined,
  raw: unknown,
): Readonly<Record<string, unknown>> {
  if (shape === undefined || !isRecord(raw)) return {};
  const { fieldNames = {} } = context.client;
  const { overrides } = readOverrides(fieldNames, listNamedShapes());
  const renamed = findRenamed(raw, shape, overrides);
  for (const [key, wire] of Object.entries(renamed)) context.fieldNames[key] ??= wire;
  const { names } = readFieldNames({ ...fieldNames, ...context.fieldNames });
  const read = names.fromWire(shape, raw) as Readonly<Record<string, unknown>>;
  for (const { path, message } of issuesIn(read, shape)) {
    const field = path.replace(/(^|\.)\d+(?=\.|$)/g, '$1{n}');
    noteOnce(context.drift, {
      operation,
      field,
      problem: withValue(message, valueAt(read, path.split('.'))),
    });
  }
  for (const [key, wire] of Object.entries(renamed))
    noteOnce(context.drift, { operation, field: wire, problem: `is probably the assumed name ${key}` });
  return read;
}

function noteOnce(drift: DriftEntry[], entry: DriftEntry): void {
  const isKnown = drift.some(
    ({ operation, field, problem }) =>
      operation === entry.operation && field === entry.field && problem === entry.problem,
  );
  if (!isKnown) drift.push(entry);
}

/** Other values can be personal data. */
const withValue = (message: string, value: unknown): string =>
  message.startsWith('must be one of') && typeof value === 'string' && /^[a-z_]{1,40}$/i.test(value)
    ? `is ${value}. It ${message}`
    : message;

export function noteRequestIdHeader(
  { client, fieldNames }: DiagnosisContext,
  headers: readonly string[],
): void {
  const { key, wire } = requestIdField;
  const found = headers.find((name) => /(?:request|correlation|trace)-?id$/i.test(name));
  if (client.fieldNames?.[key] === undefined && !headers.includes(wire) && found !== undefined)
    fieldNames[key] = found;
}

/** Such as `pix` and `pix_data`. */
function isPartOf(one: string, other: string): boolean {
  const [short = '', long = ''] = [plainName(one), plainName(other)].sort((a, b) => a.length - b.length);
  return short.length > 2 && (long.startsWith(short) || long.endsWith(short));
}

/** A field can be spelled differently, or be inside `data`. */
function findRenamed(
  raw: Readonly<Record<string, unknown>>,
  { fields }: RuntimeSchema,
  overrides: Overrides,
): Record<string, string> {
  const wireNames = new Map(
    Object.entries(fields).map(([property, field]) => [
      findWireName(property, field, overrides, 'response'),
      field,
    ]),
  );
  const unknown = Object.keys(raw).filter((name) => !wireNames.has(name));
  const found: Record<string, string> = {};
  for (const [wire, { key }] of wireNames) {
    if (key === undefined || valueAt(raw, wire.split('.')) !== undefined) continue;
    const outer = unknown.find((name) => valueAt(raw, [name, wire]) !== undefined);
    const similar = closestName(wire, unknown) ?? unknown.find((name) => isPartOf(name, wire));
    const candidate = outer === undefined ? similar : `${outer}.${wire}`;
    if (candidate !== undefined) found[key] = candidate;
  }
  return found;
}
