import { escapeHarmful } from './printable.js';
import { writeError } from './write.js';

/** The exit codes of a command. 0 means that it succeeded. */
export const exitCodes = Object.freeze({
  /** The sandbox rejected the request, a check failed, or the output cannot be written. */
  rejected: 1,
  /** The arguments are invalid. */
  usage: 2,
  /** No sandbox responds at the address. */
  unreachable: 3,
  /** No record has the id. */
  notFound: 4,
  /** The record's current status does not allow the change. */
  illegal: 5,
});

/** Ends a command with a message and an exit code. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Prints an error. Returns the exit code. */
export function reportFailure(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  writeError(`${message.split('\n').map(escapeHarmful).join('\n')}\n`);
  return error instanceof Failure ? error.exitCode : exitCodes.rejected;
}
