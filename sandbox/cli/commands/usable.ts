import { exitCodes, Failure } from '../failure.js';

export function reportAsMistake<Result>(
  call: () => Result,
  reword: (message: string) => string = (message) => message,
): Result {
  try {
    return call();
  } catch (error) {
    throw new Failure(reword((error as Error).message), exitCodes.usage);
  }
}
