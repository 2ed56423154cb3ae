import { printable } from './printable.js';

const value = new AbortController();

/** Aborted when the output takes no more: its reader has gone, or its disk is full. */
export const outputEnded: AbortSignal = value.signal;

/** Whether the output could not be written for another reason than that its reader has read enough. */
export const isOutputLost = (): boolean => value.signal.reason === 'lost';

/** Writes to standard output. If that fails, the command's effects remain. */
export function write(text: string): void {
  try {
    process.stdout.write(text);
  } catch (error) {
    // A file throws at once; a pipe tells later, by an event.
    failed(error as NodeJS.ErrnoException);
  }
}

/** Writes to standard error, for a person. */
export function writeError(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // There is nowhere else to report it.
  }
}

/** Keeps Node from ending the process with a stack when a pipe closes or a disk is full. */
export function watchOutput(): void {
  process.stdout.on('error', failed);
  process.stderr.on('error', () => undefined);
}

function failed({ code, message }: NodeJS.ErrnoException): void {
  if (outputEnded.aborted) return;
  // `… | head -1` has all it needs.
  value.abort(code === 'EPIPE' ? 'closed' : 'lost');
  if (isOutputLost()) writeError(`The output cannot be written: ${printable(message)}.\n`);
}
