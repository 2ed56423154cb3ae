import { Parsed } from '../../src/validation/issue.js';
import {
  type OptionReader,
  type OptionReaders,
  oneOf,
  readOptions,
  required,
  validIf,
} from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';
import { namedFaults } from './fault-names.js';
import { type FaultResponse, readFaultResponse } from './replacement-response.js';

/** The platform's own response, sent slowly: the headers at once, then the body in up to ten pieces. */
export interface SlowResponse {
  /** Real time from the headers to the last piece: milliseconds, or a string such as `'3s'`. More than 0. */
  slow: Duration;
}

const slowRule = `must be ${durationForms}, and more than 0`;

const optionReaders: OptionReaders<SlowResponse> = {
  slow: required(
    validIf((value) => isDuration(value) && milliseconds(value) > 0, slowRule),
    slowRule,
  ),
};

/** In the copy the time is in milliseconds. */
function readSlowResponse(input: unknown): Parsed<{ slow: number }> {
  const { value, issues } = readOptions(input, optionReaders, 'field');
  if (value?.slow === undefined || issues.length > 0) return new Parsed<{ slow: number }>(undefined, issues);
  return new Parsed(Object.freeze({ slow: milliseconds(value.slow) }));
}

/**
 * The kinds of faults. The text after `Mid-response:` describes the fault in the phase `mid-response`, if it
 * is possible there.
 *
 * - `reset`: the connection is reset without a response. Mid-response: after half of the body.
 * - `hang`: no response until the caller gives up. Mid-response: the second half of the body never comes.
 * - `truncate`: the headers with the length, and half of the body, then the connection closes. Mid-response:
 *   the same without a length, as a chunked body without its end.
 * - `garbage`: 200 with an HTML page. Mid-response: the second half of the body is not UTF-8.
 * - `invalid-json`: 200 with half of a JSON document. Mid-response: half of the body as a complete response.
 * - `empty`: 200 without a body.
 * - `acquirer-unknown`: the payment's outcome is unknown: 502, then 409 for its key.
 * - `{ slow }`: the platform's own response, with a body that takes that time.
 * - an object with a `status`: that response instead of the platform's.
 */
export type Fault = (typeof namedFaults)[number] | SlowResponse | FaultResponse;

/** Of a response only the status, because the rest can contain anything. The journal masks its body. */
export const describeFault = (fault: Fault): Fault =>
  typeof fault === 'object' && 'status' in fault ? { status: fault.status } : fault;

const namedFault = oneOf(...namedFaults);

const faultRule = `must be ${namedFaults.map((name) => `'${name}'`).join(', ')}, { slow } or { status, headers, body }. For deliveries, use webhooks.faults.add`;

function readFault(input: unknown): Parsed<Fault> {
  if (isRecord(input)) return 'slow' in input ? readSlowResponse(input) : readFaultResponse(input);
  const { value } = namedFault.read(input);
  return new Parsed<Fault>(value, value === undefined ? [{ path: '', message: faultRule }] : []);
}

export const aFault: OptionReader<Fault> = required({ read: readFault }, faultRule);
