import { getStatusEvent, statusUpdated } from '../../src/contract/events.js';
import { notificationShape } from '../../src/contract/generated/shapes.js';
import type { WireNames } from '../../src/contract/wire-names.js';
import type { UpsellAudience } from '../defaults/payments.js';
import type { Audience } from '../defaults/webhooks.js';
import type { PaymentRecord } from '../payments/payment-record.js';
import type { Payments } from '../payments/payments.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import type { Endpoints } from '../webhooks/endpoints.js';

interface Parts {
  readonly payments: Payments;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  /** UUID, the same in every delivery about this change of status. */
  readonly notificationId: string;
  readonly audience: Audience;
  /** The endpoints whose notifications contain the upsell token. */
  readonly upsellFor: UpsellAudience;
  /** The field names on the wire: the SDK's names, unless the `fieldNames` option changes them. */
  readonly names: WireNames;
}

/** First the specific event, then `transaction.status.updated`. */
export function notify(
  record: PaymentRecord,
  { payments, endpoints, deliveries, notificationId, names, audience, upsellFor }: Parts,
): void {
  const { upsell, ...payment } = payments.show(record);
  const line = record.boleto && { boleto: { digitableLine: record.boleto.digitableLine } };
  for (const event of [getStatusEvent(record.status), statusUpdated]) {
    const receivers = endpoints.receivers(event, record.draft.subMerchant?.internalId, audience);
    if (receivers.length === 0) continue;
    const bodyWith = (more: object) =>
      JSON.stringify(
        names.toWire(notificationShape, { event, ...payment, ...more, ...line, notificationId }),
      );
    const body = bodyWith({});
    for (const { shown, submerchant } of receivers) {
      const hasToken =
        upsell !== undefined &&
        (upsellFor === 'all' || (upsellFor === 'merchant' && submerchant === undefined));
      deliveries.send(shown.id, event, hasToken ? bodyWith({ upsell }) : body, record.id);
    }
  }
}
