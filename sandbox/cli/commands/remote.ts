import { type Command, Option } from 'commander';
import { ControlClient } from '../control-client.js';
import { exitCodes, Failure } from '../failure.js';
import { timeoutOption } from '../time-limit.js';

export interface RemoteOptions {
  readonly url?: string;
  readonly json?: boolean;
  /** In milliseconds. */
  readonly timeout: number;
}

/** A command that runs long, or waits for other servers, needs a longer timeout. */
export const remote = (command: Command, timeout = '10s'): Command =>
  command
    .addOption(new Option('--url <url>', "the sandbox's address").env('PAYMENT_PLATFORM_BASE_URL'))
    .option('--json', 'print the response as JSON, on one line')
    .addOption(timeoutOption(timeout));

export const createClient = ({ url, timeout }: RemoteOptions): ControlClient =>
  new ControlClient(url, timeout);

export function segment(text: string): string {
  // An empty segment, `.` or `..` would lead to another path.
  if (/^\.{0,2}$/.test(text)) throw new Failure(`No record has the id '${text}'.`, exitCodes.notFound);
  return encodeURIComponent(text);
}
