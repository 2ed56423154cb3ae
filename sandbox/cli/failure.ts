import { CommanderError } from 'commander';
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

/** Prints why a command failed. @returns its exit code */
export function reportFailure(error: unknown): number {
  // Commander has already printed the problem with the arguments.
  if (error instanceof CommanderError) return error.exitCode === 1 ? exitCodes.usage : error.exitCode;
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
