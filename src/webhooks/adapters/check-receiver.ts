import { ConfigurationError } from '../../errors/usage.js';
import type { Receiver } from '../types.js';

/** The part of a receiver that an adapter uses. */
export type ReceiverLike = Pick<Receiver, 'receive'>;

export function checkReceiver(adapter: string, input: ReceiverLike): void {
  if (typeof (input as Partial<ReceiverLike> | undefined)?.receive !== 'function')
    throw new ConfigurationError(`${adapter} takes a receiver: ${adapter}(createReceiver({ secret, on })).`);
}
