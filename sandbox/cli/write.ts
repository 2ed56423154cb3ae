import { escapeHarmful } from './printable.js';

const value = new AbortController();

/** Aborts when the output can no longer be written: its reader has gone, or its disk is full. */
export const outputEnded: AbortSignal = value.signal;

/** Checks whether output was lost. A reader that has read enough does not count. */
export const isOutputLost = (): boolean => value.signal.reason === 'lost';

/** Writes to standard output. If that fails, the command continues. */
export function write(text: string): void {
  try {
    process.stdout.write(text);
  } catch (error) {
    // A file throws at once; a pipe emits an event later.
    failed(error as NodeJS.ErrnoException);
  }
}

/** Writes to standard error, for a person. */
export function writeError(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // The error cannot be reported anywhere else.
  }
}

/** Keeps Node from ending the process with a stack when a pipe closes or a disk is full. */
export function watchOutput(): void {
  process.stdout.on('error', failed);
  process.stderr.on('error', () => undefined);
}

function failed({ code, message }: NodeJS.ErrnoException): void {
  if (outputEnded.aborted) return;
  // A reader such as `head -1` closes the pipe when it has read enough.
  value.abort(code === 'EPIPE' ? 'closed' : 'lost');
  if (isOutputLost()) writeError(`The output cannot be written: ${escapeHarmful(message)}.\n`);
}
