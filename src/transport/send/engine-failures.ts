import { EngineFailure, largestBody } from './engine.js';

/** The system's name for what happened, where an error carries one. */
export function codeOf(error: unknown): string {
  return textAt(error, 'code');
}

/** The same of the error that caused it, where it has none of its own, as those of `fetch` have not. */
export function deepCodeOf(error: unknown): string {
  try {
    return codeOf(error) || codeOf((error as Error).cause);
  } catch {
    return '';
  }
}

/** A text property of an error; empty where there is none, or where reading it throws. */
function textAt(error: unknown, name: string): string {
  if (!(error instanceof Error)) return '';
  try {
    const value: unknown = (error as Error & Record<string, unknown>)[name];
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

/**
 * Codes of the check of a server's certificate, which is made before the first byte of a request. Exact,
 * because an alert of TLS that comes after the request can contain the same words.
 */
const certificateCodes = new Set(
  [
    'CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED CERT_SIGNATURE_FAILURE CERT_UNTRUSTED',
    'CERT_CHAIN_TOO_LONG CRL_HAS_EXPIRED CRL_NOT_YET_VALID CRL_SIGNATURE_FAILURE DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CERT_NOT_BEFORE_FIELD HOSTNAME_MISMATCH',
    'INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
    'UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_GET_CRL UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].flatMap((codes) => codes.split(' ')),
);

/** Node's codes for a proxy of the environment that made no tunnel. */
const proxyCodes = new Set(['ERR_PROXY_TUNNEL', 'ERR_PROXY_INVALID_CONFIG']);

/** Whether an error comes from a name that was looked up or a connection that was being made. */
function isConnecting(error: Error): boolean {
  const syscall = textAt(error, 'syscall');
  return (
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    syscall.startsWith('query') ||
    codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT'
  );
}

/** How far an error leads to the one that caused it. */
const deepestCause = 4;

/**
 * What failed, where it is something that can fail before the first byte of a request alone; undefined
 * for anything else. EHOSTUNREACH, for one, also ends a connection over which a request was sent: only
 * the system call tells them apart.
 */
export function failureBeforeSending(error: unknown): EngineFailure | undefined {
  try {
    return earlyFailure(error, 0);
  } catch {
    // One of its getters throws: nothing is known of it.
    return undefined;
  }
}

function earlyFailure(error: unknown, depth: number): EngineFailure | undefined {
  if (!(error instanceof Error) || depth > deepestCause) return undefined;
  const code = codeOf(error);
  const fail = (kind: 'certificate' | 'proxy' | 'connect', what: string) =>
    new EngineFailure(kind, what, false, { cause: error });
  if (certificateCodes.has(code)) return fail('certificate', `the certificate was refused (${code})`);
  if (proxyCodes.has(code)) return fail('proxy', `the proxy refused (${code})`);
  // Every address of a name was tried, and each failed.
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every((one) => one instanceof Error && isConnecting(one))
      ? unconnected(code, error)
      : undefined;
  if (isConnecting(error)) return unconnected(code, error);
  return code === '' ? earlyFailure(error.cause, depth + 1) : undefined;
}

/** A connection that never came about: nothing was sent. */
export function unconnected(code: string, cause: unknown): EngineFailure {
  return new EngineFailure('connect', `the connection failed${inBrackets(code)}`, false, { cause });
}

/** The request could not even be made: nothing was handed to the network, and another try would bring the same. */
export function unsendable(cause: unknown): EngineFailure {
  return new EngineFailure('unsendable', 'the request could not be made', false, { cause });
}

export function tooLarge(status: number | undefined): EngineFailure {
  return new EngineFailure('too-large', `the answer is larger than ${largestBody} bytes`, true, { status });
}

export const inBrackets = (code: string) => (code === '' ? '' : ` (${code})`);
