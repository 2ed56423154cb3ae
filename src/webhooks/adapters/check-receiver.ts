import { ConfigurationError } from '../../errors/usage.js';
import type { Receiver } from '../types.js';

/** The part of a receiver that an adapter uses. */
export type ReceiverLike = Pick<Receiver, 'receive'>;

/**
 * Checks an adapter's argument.
 *
 * @throws ConfigurationError for anything but a receiver, such as a receiver's options.
 */
export function checkReceiver(adapter: string, input: ReceiverLike): void {
  if (typeof (input as Partial<ReceiverLike> | undefined)?.receive !== 'function')
    throw new ConfigurationError(`${adapter} takes a receiver: ${adapter}(createReceiver({ secret, on })).`);
}
