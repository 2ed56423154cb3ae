import type { ReceiverResponse, Timeline } from '../timeline/timeline.js';
import type { DeliveryAttempt } from '../webhooks/delivery.js';
import type { DeliverySummary } from '../webhooks/delivery-list.js';
import type { Sandbox } from './sandbox-interface.js';

export interface DeliveryDescription {
  /** The payment's amount, in cents. */
  readonly amount?: number | undefined;
  /** The payment's `externalReference`: the order. */
  readonly externalReference?: string | undefined;
  /** The receiver's response to the latest attempt, while the timeline contains it. */
  readonly response?: ReceiverResponse | undefined;
}

export function describeDeliveries<Delivery extends DeliverySummary>(
  { control }: Sandbox,
  { events }: Timeline,
  deliveries: readonly Delivery[],
): (Delivery & DeliveryDescription)[] {
  const responses = new Map(
    events.flatMap((event) => (event.kind === 'receipt' ? [[event.deliveryId, event.response]] : [])),
  );
  return deliveries.map((delivery) => ({
    ...delivery,
    ...(delivery.paymentId !== undefined && describeOrder(control.payments.retrieve(delivery.paymentId))),
    response: responses.get(delivery.id),
  }));
}

const describeOrder = ({ amount, externalReference }: { amount: number; externalReference?: unknown }) => ({
  amount,
  externalReference: externalReference === undefined ? undefined : String(externalReference),
});

/** While the timeline still contains the response. */
export function addResponses(attempts: readonly DeliveryAttempt[], { events }: Timeline): object[] {
  const receipts = events.filter((event) => event.kind === 'receipt');
  return attempts.map((attempt, index) => {
    const isAgain = attempts[index - 1]?.attempt === attempt.attempt;
    const own = receipts.filter(
      ({ deliveryId, attempt: number }) => deliveryId === attempt.id && number === attempt.attempt,
    );
    return { ...attempt, response: own[isAgain ? 1 : 0]?.response };
  });
}
