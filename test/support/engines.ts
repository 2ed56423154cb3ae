import { type ClientOptions, PaymentPlatform } from 'payment-platform';
import { describe } from 'vitest';

export const credentials = { clientId: 'merchant-1', clientSecret: 'sk_live_canary_4f9a1c' };

export type EngineUnderTest = 'node' | 'ky';

/** Creates a client on one of the engines. Passing a fetch selects ky. */
export function clientOn(
  engine: EngineUnderTest,
  baseUrl: string,
  options: ClientOptions = {},
): PaymentPlatform {
  const own = engine === 'ky' ? { fetch: globalThis.fetch } : {};
  return new PaymentPlatform({ baseUrl, ...credentials, ...own, ...options });
}

/** Registers the same tests for both engines. */
export function onBothEngines(body: (engine: EngineUnderTest) => void): void {
  describe.each(['node', 'ky'] as const)('on the %s engine', body);
}

/** Returns the error that a promise rejects with. Fails if the promise resolves. */
export async function catchError<E extends Error = Error>(promise: Promise<unknown>): Promise<E> {
  try {
    await promise;
  } catch (error) {
    return error as E;
  }
  throw new Error('expected a rejection');
}
