import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sign } from 'payment-platform/webhooks';
import type { Processes } from './processes.js';

export const secret = 'whsec_0123456789abcdef';

/** Writes the body of a notification that an order was paid. */
export const toBody = (order: string) =>
  JSON.stringify({ event: 'transaction.paid', id: randomUUID(), status: 'paid', externalReference: order });

/** Returns the identity that the receiver computes for a body. */
export function toDeliveryId(body: string): string {
  const { event, id, status } = JSON.parse(body);
  return JSON.stringify([event, id, status]);
}

/** Sends a delivery to a receiver. Returns false if the receiver does not acknowledge it. */
export async function deliver(body: string, line: string | undefined): Promise<boolean> {
  const port = /\d+$/.exec(line ?? '')?.[0];
  if (port === undefined) return false;
  const headers = { ...sign({ body, secret }), 'content-type': 'application/json' };
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Sends each body several times, in any order, until each is acknowledged. Unlike the platform, it never gives up. */
export class Deliveries {
  readonly all: number;
  readonly ended: Promise<unknown>;
  acknowledged = 0;

  constructor(bodies: readonly string[], copies: number, receivers: Processes) {
    const queue = Array.from({ length: copies }, () => bodies)
      .flat()
      .sort(() => Math.random() - 0.5);
    this.all = queue.length;
    const send = async () => {
      for (let body = queue.pop(); body !== undefined; body = queue.pop()) {
        if (await deliver(body, receivers.anyOf())) this.acknowledged++;
        else {
          await setTimeout(50);
          queue.unshift(body);
        }
      }
    };
    this.ended = Promise.all(Array.from({ length: 16 }, send));
  }
}
