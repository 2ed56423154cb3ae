import { exitCodes, Failure } from '../failure.js';

/** Converts errors about a call's options into errors about the arguments. */
export function usable<Result>(
  call: () => Result,
  inOwnWords: (message: string) => string = (message) => message,
): Result {
  try {
    return call();
  } catch (error) {
    throw new Failure(inOwnWords((error as Error).message), exitCodes.usage);
  }
}
