import { systemCodePattern } from '../redact/cause.js';
import { isError, isErrorNamed } from '../validation/builtins.js';

export function errorCode(error: unknown): string {
  const code = stringProperty(error, 'code');
  return systemCodePattern.test(code) ? (code === 'EPROTO' ? tlsCode(error) : code) : '';
}

/** An error of node:tls has only EPROTO. OpenSSL's code is, for example, ERR_SSL_WRONG_VERSION_NUMBER. */
function tlsCode(error: unknown): string {
  const reason = /SSL routines:\w*:([a-z\d ]{1,60})(?::|$)/.exec(stringProperty(error, 'message'))?.[1];
  return reason === undefined ? 'EPROTO' : `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

/** Returns an error's `code` or, for errors of `fetch`, which have none, the `code` of the cause. */
export function errorOrCauseCode(error: unknown): string {
  return errorCode(error) || errorCode((error as Error | undefined)?.cause);
}

function stringProperty(error: unknown, name: string): string {
  const value: unknown = isError(error) ? (error as Error & Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/**
 * Error codes for a rejected server certificate, which is checked before a request is sent. Codes are
 * compared as a whole, because the code of a TLS alert after the request can contain the same words.
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

/** Node's error codes if a proxy from the environment variables did not open a tunnel. */
const proxyCodes = new Set(['ERR_PROXY_TUNNEL', 'ERR_PROXY_INVALID_CONFIG']);

function findStatus(error: Error): number | undefined {
  const { statusCode } = error as { readonly statusCode?: unknown };
  return Number.isInteger(statusCode) ? (statusCode as number) : undefined;
}

function isConnecting(error: Error): boolean {
  const syscall = stringProperty(error, 'syscall');
  return (
    isBunConnectionRefused(error) ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    syscall.startsWith('query') ||
    errorCode(error) === 'UND_ERR_CONNECT_TIMEOUT'
  );
}

/**
 * Recognises Bun's error for a refused connection. The error has no `syscall`, but a URL and the errno 0,
 * which no socket error has.
 */
function isBunConnectionRefused(error: Error): boolean {
  const { errno } = error as { readonly errno?: unknown };
  return errorCode(error) === 'ECONNREFUSED' && errno === 0 && stringProperty(error, 'path') !== '';
}

const maxCauseDepth = 4;

interface Unsent {
  readonly kind: 'certificate' | 'connect' | 'proxy';
  readonly message: string;
}

/**
 * Returns a reason only if the error proves it. The code alone does not: EHOSTUNREACH, for example, can also
 * end a connection after a request was sent. Only the system call distinguishes the two cases.
 */
export function reasonBeforeSending(error: unknown, depth = 0): Unsent | undefined {
  if (!isError(error) || depth > maxCauseDepth) return undefined;
  const code = errorCode(error);
  if (certificateCodes.has(code))
    return { kind: 'certificate', message: `the certificate was rejected (${code})` };
  if (proxyCodes.has(code)) return rejectedByProxy(findStatus(error), code);
  // An AggregateError means that every address of the host was tried without success.
  const errors = isErrorNamed(error, 'AggregateError') ? (error as AggregateError).errors : [];
  if (errors.length > 0)
    return errors.every((one) => isError(one) && isConnecting(one)) ? notConnected(code) : undefined;
  if (isConnecting(error)) return notConnected(code);
  return code === '' ? reasonBeforeSending(error.cause, depth + 1) : undefined;
}

export const notConnected = (code: string): Unsent => ({
  kind: 'connect',
  message: `the connection failed${withHint(code)}${proxyHint(code)}`,
});

/**
 * After a 5xx, a retry can succeed, because the proxy could not reach the host for the moment. After any
 * other status, a retry would get the same status again.
 */
export function rejectedByProxy(status: number | undefined, code = ''): Unsent {
  const isFailed = status !== undefined && status >= 500 && status <= 599;
  const why = withHint(status === undefined ? code : `CONNECT got a ${status}`);
  return isFailed
    ? { kind: 'connect', message: `the proxy could not connect${why}` }
    : { kind: 'proxy', message: `the proxy rejected the connection${why}` };
}

export const withHint = (code: string) =>
  code === '' ? '' : ` (${code}${hints.get(code) ?? alertHint(code)})`;

function alertHint(code: string): string {
  const alert = /^ERR_SSL_\w+_ALERT_(\w+)$/.exec(code)?.[1];
  return alert === undefined
    ? ''
    : `: the server sent the TLS alert "${alert.toLowerCase().replaceAll('_', ' ')}"`;
}

const longHeaders =
  ': the headers are longer than the runtime of fetch allows, start Node with --max-http-header-size=65536';
const plainHttp = ': the server may speak plain http, check the port of baseUrl';
const http2Only = ': the server speaks only HTTP/2, and this client needs HTTP/1.1';

const otherProtocol =
  ': the server sent bytes that are not an HTTP/1.1 response. It may expect https, or speak only HTTP/2';

const hints: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_WRONG_VERSION_NUMBER', plainHttp],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', plainHttp],
  ['HPE_INVALID_CONSTANT', otherProtocol],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', http2Only],
  ['UND_ERR_HEADERS_OVERFLOW', longHeaders],
]);

/** Error codes that are typical of a network that requires a proxy. */
const unreachable = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
]);

/** Node ignores these variables unless an option enables them. */
function proxyHint(code: string): string {
  const { env = {} } = (globalThis.process ?? {}) as Partial<NodeJS.Process>;
  const name = ['HTTPS_PROXY', 'https_proxy'].find((variable) => env[variable]);
  if (name === undefined || env.NODE_USE_ENV_PROXY !== undefined || !unreachable.has(code)) return '';
  return `, and ${name} is set: Node uses it with NODE_USE_ENV_PROXY=1 (22.21, 24.5 and later), or pass an agent`;
}
