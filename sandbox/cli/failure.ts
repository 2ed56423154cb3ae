import { escapeHarmful } from './printable.js';
import { writeError } from './write.js';

export const exitCodes = Object.freeze({
  rejected: 1,
  usage: 2,
  unreachable: 3,
  notFound: 4,
  illegal: 5,
});

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  /** Without an exit code, the arguments are wrong. */
  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function reportFailure(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  writeError(`${message.split('\n').map(escapeHarmful).join('\n')}\n`);
  return error instanceof Failure ? error.exitCode : exitCodes.rejected;
}

export function reportAsMistake<Result>(
  call: () => Result,
  reword: (message: string) => string = (message) => message,
): Result {
  try {
    return call();
  } catch (error) {
    throw new Failure(reword((error as Error).message));
  }
}
