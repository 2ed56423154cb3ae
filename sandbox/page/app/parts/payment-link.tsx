import type { PaymentDetails } from '../../../control/payment-control.js';
import { useData } from '../api.js';
import { to } from '../route.js';
import { Money, Status, UntrustedText } from './text.js';

/** A payment in a few words, with a link to it. */
export function PaymentLink({ id }: { id: string }) {
  const { data } = useData<PaymentDetails>(`payments/${encodeURIComponent(id)}`, 'payments');
  if (data === undefined) return <UntrustedText text={id} mono />;
  const { amount, status } = data.payment;
  return (
    <span class="value">
      <a href={to('payments', id)}>
        <Money cents={amount} />
      </a>
      <Status status={status} />
    </span>
  );
}
