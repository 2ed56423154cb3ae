import { getOperation } from '../../../src/contract/index.js';
import { isRecord } from '../../../src/validation/record.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import type { TimelineEntry } from '../../timeline/timeline.js';
import { Expression, ids, literal, template } from './literal.js';
import { refuse } from './refusal.js';
import { type BodyContext, writeRepeatedBody } from './repeated-body.js';

type FaultEntry = Extract<TimelineEntry, { kind: 'fault' }>;

/** Leaves out its delay and headers, and shortens a slow response to 1 ms. */
export function writeFaultLine(
  { fault, phase, operation }: FaultEntry,
  { response }: JournalRequest,
): string {
  const repeated =
    typeof fault !== 'object' ? fault : 'slow' in fault ? { slow: 1 } : { ...fault, body: response };
  return `sandbox.faults.add(${literal({ fault: repeated, phase, operation }, '  ')});`;
}

interface SendParts {
  readonly request: JournalRequest;
  readonly context: BodyContext;
  /** Set if a later line uses the response. */
  readonly name: string | undefined;
  /** Set for a body that is sent more than once. */
  readonly bodyName: string | undefined;
}

export function writeSendLines({ request, context, name, bodyName }: SendParts): string[] {
  const { method, path, idempotencyKey: key, status, operation, fault } = request;
  const body = bodyName === undefined ? writeRepeatedBody(request, context) : new Expression(bodyName);
  const isForm = operation !== undefined && getOperation(operation).encoding === 'multipart';
  const options = {
    key,
    [isForm ? 'form' : 'body']: body,
    // The journal has no credentials. A 401 means that the request's credentials were wrong.
    secret: status === 401 && operation !== 'oauth.token' ? 'wrong' : undefined,
    // The platform never responds, so the test gives up soon.
    hangs: fault === 'hang' ? true : undefined,
  };
  const hasOptions = Object.values(options).some((value) => value !== undefined);
  const place = template(path, context.ids);
  if (place === path && path.match(ids) !== null && fault === undefined && Number(status) < 400)
    refuse(`request ${request.number} uses an id that the sandbox does not remember to have created`);
  const target = literal(place);
  const sent = `await send(${literal(method)}, ${target}${hasOptions ? `, ${literal(options, '  ')}` : ''})`;
  const seen = `.toMatchObject(${literal(describeSeen(request), '  ')});`;
  if (name === undefined) return [`expect(${sent})${seen}`];
  return [`const ${name} = ${sent};`, `expect(${name})${seen}`];
}

/** Only the parts that are the same in every run. */
function describeSeen({ status, operation, response }: JournalRequest): object {
  const found = new Map<string, unknown>();
  if (status === undefined) return { status: new Expression('undefined') };
  if (isRecord(response) && operation === 'payments.create' && status < 300) {
    for (const name of ['status', 'amount', 'paymentMethod']) found.set(name, response[name]);
    return { status, body: Object.fromEntries(found) };
  }
  const code = isRecord(response) && isRecord(response.error) ? response.error.code : undefined;
  // The journal hides the whole error of a token request.
  return typeof code !== 'string' || code === '***' ? { status } : { status, body: { error: { code } } };
}
