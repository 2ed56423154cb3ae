import { exitCodes, Failure } from '../failure.js';

/** What a call throws for its options is about the arguments. */
export function usable<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new Failure((error as Error).message, exitCodes.usage);
  }
}
