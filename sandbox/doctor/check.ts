import { isError } from '../../src/validation/builtins.js';
import { isRecord } from '../../src/validation/record.js';

/** The name of a check. `diagnose` runs the checks in this order. */
export type CheckName =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'proxy'
  | 'auth.headers'
  | 'auth.oauth'
  | 'auth.both'
  | 'token'
  | 'http'
  | 'clock'
  | 'encoding'
  | 'rate-limits'
  | 'latency'
  | 'keep-alive'
  | 'charge.same-key'
  | 'charge.at-once'
  | 'charge.other-payload'
  | 'charge.other-order'
  | 'charge.lost-response'
  | 'charge.similar-keys'
  | 'charge.body'
  | 'charge.field-names'
  | 'drift'
  | 'webhook.endpoint'
  | 'webhook.delivery'
  | 'webhook.cleanup';

/** A single result of `diagnose`. */
export interface DoctorCheck {
  /** The check's name. */
  readonly name: CheckName;
  /** The result. A `warning` needs a person's attention. Only `failed` makes the diagnosis fail. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** The facts, or the reason for skipping. Contains no secret. */
  readonly message: string;
  /** The next step after a warning or a failure. */
  readonly remedy?: string | undefined;
}

export const ok = (name: CheckName, message: string): DoctorCheck => ({ name, status: 'ok', message });

export const skipped = (name: CheckName, message: string): DoctorCheck => ({
  name,
  status: 'skipped',
  message,
});

export const warning = (name: CheckName, message: string, remedy: string): DoctorCheck => ({
  name,
  status: 'warning',
  message,
  remedy,
});

export const failed = (name: CheckName, message: string, remedy: string): DoctorCheck => ({
  name,
  status: 'failed',
  message,
  remedy,
});

export function describeError(error: unknown): string {
  const [line = ''] = (isError(error) ? error.message : String(error)).split('\n');
  // Node's error for several addresses has no message.
  return line || findCode(error) || 'unknown error';
}

export function findCode(error: unknown): string | undefined {
  return isRecord(error) && typeof error.code === 'string' ? error.code : undefined;
}

/** Set if a response caused the error. */
export function findStatus(error: unknown): number | undefined {
  return isRecord(error) && typeof error.status === 'number' ? error.status : undefined;
}

export async function within<Result>(limit: number, work: Promise<Result>, late: Result): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lateness = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, limit, late);
  });
  const result = await Promise.race([work, lateness]);
  clearTimeout(timer);
  return result;
}

/** Shorter values occur by chance, and replacing them would garble messages. */
const shortestSecret = 6;

const redacted = '[redacted]';

/** In any letter case. */
export function createSecretHider(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .map((secret) => new RegExp(secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi'));
  return (text) => hidden.reduce((shown, secret) => shown.replace(secret, redacted), text);
}

/** A response can use e-mail addresses or document numbers as field names. */
export function hideFieldNames(path: string, hide: (text: string) => string): string {
  const isName = (part: string) => part === '{n}' || /^[\p{L}_$][\p{L}\p{N}_$-]{0,63}$/u.test(part);
  return hide(path)
    .split('.')
    .map((part) => (part === '' || isName(part) ? part : redacted))
    .join('.');
}
