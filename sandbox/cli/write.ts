import { escapeHarmful } from './printable.js';

const controller = new AbortController();

/** Aborts when output can no longer be written, because the reader has gone or the disk is full. */
export const outputEnded: AbortSignal = controller.signal;

/** Output is not lost if the reader closed the pipe. */
export const isOutputLost = (): boolean => controller.signal.reason === 'lost';

export function write(text: string): void {
  try {
    process.stdout.write(text);
  } catch (error) {
    // Writing to a file throws at once. A pipe emits an error event later.
    failed(error as NodeJS.ErrnoException);
  }
}

export function writeError(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // The error cannot be reported anywhere else.
  }
}

/** Otherwise, Node ends the process with a stack trace when a pipe closes or a disk is full. */
export function watchOutput(): void {
  process.stdout.on('error', failed);
  process.stderr.on('error', () => undefined);
}

function failed({ code, message }: NodeJS.ErrnoException): void {
  if (outputEnded.aborted) return;
  // A reader such as `head -1` closes the pipe as soon as it has read enough.
  controller.abort(code === 'EPIPE' ? 'closed' : 'lost');
  if (isOutputLost()) writeError(`The output cannot be written: ${escapeHarmful(message)}.\n`);
}
