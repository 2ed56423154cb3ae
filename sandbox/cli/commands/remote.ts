import { type Command, Option } from 'commander';
import { ControlClient } from '../control-client.js';
import { exitCodes, Failure } from '../failure.js';
import { timeoutOption } from '../time-limit.js';

/** The options of every command that acts on a running sandbox. */
export interface RemoteOptions {
  readonly url?: string;
  readonly json?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Adds the options, and returns the command. What runs long, or waits for other servers, has more time. */
export const remote = (command: Command, timeout = '10s'): Command =>
  command
    .addOption(new Option('--url <url>', 'the sandbox').env('PAYMENT_PLATFORM_BASE_URL'))
    .option('--json', 'print the response as JSON, on one line')
    .addOption(timeoutOption(timeout));

export const createClient = ({ url, timeout }: RemoteOptions): ControlClient =>
  new ControlClient(url, timeout);

/** A part of a path. */
export function segment(text: string): string {
  // They would lead to another path.
  if (/^\.{0,2}$/.test(text)) throw new Failure(`No record has the id '${text}'.`, exitCodes.notFound);
  return encodeURIComponent(text);
}
