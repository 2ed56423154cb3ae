import type { Payment } from '../../../../src/contract/payments/types.js';
import type { PaymentDetails } from '../../../control/payment-control.js';
import { useData } from '../api.js';
import { to } from '../route.js';
import { Money, StatusLabel, UntrustedText } from './text.js';

export function PaymentLink({ id }: { id: string }) {
  const { data } = useData<PaymentDetails>(`payments/${encodeURIComponent(id)}`, 'payments');
  return data === undefined ? <UntrustedText text={id} mono /> : <PaymentSummary payment={data.payment} />;
}

/** For a payment that was already read. */
export function PaymentSummary({ payment }: { payment: Payment }) {
  const { id, amount, status, externalReference: order } = payment;
  return (
    <span class="value">
      <a href={to('payments', id)}>
        <Money cents={amount} />
      </a>
      {order != null && <UntrustedText text={order} />}
      <StatusLabel status={status} />
    </span>
  );
}
