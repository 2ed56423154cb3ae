import { oneOf, type Reader, required } from '../../input/options.js';
import { Read } from '../../input/read.js';
import { isRecord } from '../../input/record.js';
import { type FaultAnswer, readFaultAnswer } from './replacement-answer.js';
import { readSlowAnswer, type SlowAnswer } from './slow-answer.js';

const namedFaults = [
  'reset',
  'hang',
  'truncate',
  'garbage',
  'empty',
  'invalid-json',
  'acquirer-unknown',
] as const;

/**
 * What goes wrong. The second sentence says what it is at `mid-response`, if it is possible there.
 *
 * - `reset`: the connection is reset without an answer. The connection is reset after half of the body.
 * - `hang`: no answer until the caller gives up. The second half of the body never comes.
 * - `truncate`: the head with the length, and half of the body, then the connection is closed. The same
 *   without a length: a chunked body without its end.
 * - `garbage`: 200 with an HTML page. The second half of the body is bytes that are no text.
 * - `invalid-json`: 200 with half a JSON text. Half of the body as an answer that is complete.
 * - `empty`: 200 without a body.
 * - `acquirer-unknown`: the outcome of the payment is unknown: 502, then 409 for its key.
 * - `{ slow }`: the platform's own answer, whose body takes that time.
 * - an object with a `status`: that answer in place of the platform's.
 */
export type Fault = (typeof namedFaults)[number] | SlowAnswer | FaultAnswer;

const namedFault = oneOf(...namedFaults);

const faultRule = `must be ${namedFaults.map((name) => `'${name}'`).join(', ')}, { slow }, or an answer { status, headers, body } (those of deliveries, such as 'drop', are added with webhooks.faults.add, or --delivery)`;

function readFault(given: unknown): Read<Fault> {
  if (isRecord(given)) return 'slow' in given ? readSlowAnswer(given) : readFaultAnswer(given);
  const { value } = namedFault.read(given);
  return new Read<Fault>(value, value === undefined ? [{ path: '', message: faultRule }] : []);
}

export const aFault: Reader<Fault> = required({ read: readFault }, faultRule);
