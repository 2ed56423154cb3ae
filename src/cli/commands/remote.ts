import { type Command, Option } from 'commander';
import { ControlClient } from '../control-client.js';

/** The options of every command that acts on a running sandbox. */
export interface RemoteOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** Adds the options, and returns the command. */
export const remote = (command: Command): Command =>
  command
    .addOption(new Option('--url <url>', 'the sandbox').env('PAYMENT_PLATFORM_BASE_URL'))
    .option('--json', 'print the answer as JSON, on one line');

export const clientOf = ({ url }: RemoteOptions): ControlClient => new ControlClient(url);

/** A part of a path. */
export const segment = (text: string): string => encodeURIComponent(text);
