import { EngineFailure, largestBody } from './engine.js';

/** The system's name for what happened, where an error carries one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const certificate = /CERT|SIGNED|UNABLE_TO_|HOSTNAME/;

/** A connection that never came about: nothing was sent. `cause` is the whole error, `code` its name. */
export function unsent(code: string, cause: unknown): EngineFailure {
  if (certificate.test(code)) {
    return new EngineFailure('certificate', `the certificate was refused (${code})`, false, { cause });
  }
  if (code.includes('PROXY'))
    return new EngineFailure('proxy', `the proxy refused (${code})`, false, { cause });
  return new EngineFailure('connect', `the connection failed${inBrackets(code)}`, false, { cause });
}

/** Whether a code is of a certificate or a proxy: both come before anything is sent. */
export function isBeforeTheRequest(code: string): boolean {
  return certificate.test(code) || code.includes('PROXY');
}

export function tooLarge(status: number | undefined): EngineFailure {
  return new EngineFailure('too-large', `the answer is larger than ${largestBody} bytes`, true, { status });
}

export const inBrackets = (code: string) => (code === '' ? '' : ` (${code})`);
