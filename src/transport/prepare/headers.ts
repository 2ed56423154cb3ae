import { version } from '../../version.js';
import type { CallSpec } from '../call/call-spec.js';

interface HeaderValues {
  /** Of a body that is text; the engine sets that of a form. */
  readonly contentType?: string | undefined;
  /** The idempotency key. */
  readonly key?: string | undefined;
  readonly others?: Readonly<Record<string, string>> | undefined;
}

/** The headers of a request, but for its authorisation. */
export function headersOf(
  { result }: Pick<CallSpec, 'result'>,
  { contentType, key, others }: HeaderValues,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: result === 'file' ? 'application/pdf, application/json' : 'application/json',
    // Without it fetch asks for codings that it undoes on its own, or fails at.
    'accept-encoding': 'identity',
    'user-agent': `payment-platform/${version}`,
    ...others,
  };
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (key !== undefined) headers['x-idempotency-key'] = key;
  return headers;
}
