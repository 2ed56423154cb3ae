import { ConfigurationError } from '../../errors/usage.js';
import type { Receiver } from '../types.js';

/** The part of a receiver that an adapter uses. */
export type Receives = Pick<Receiver, 'receive'>;

/** @throws ConfigurationError for anything but a receiver, such as the options of one. */
export function checkReceiver(adapter: string, input: Receives): void {
  if (typeof (input as Partial<Receives> | undefined)?.receive !== 'function')
    throw new ConfigurationError(`${adapter} takes a receiver: ${adapter}(createReceiver({ secret, on })).`);
}
