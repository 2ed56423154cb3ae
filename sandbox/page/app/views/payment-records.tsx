import type { PaymentDetails } from '../../../control/payment-control.js';
import type { Delivery } from '../../../control/responses.js';
import type { JournalRequest } from '../../../http/journal-entry.js';
import { type Reading, useData } from '../api.js';
import { Facts, Money, mono, Time } from '../parts/text.js';
import { withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { DeliveryTable } from './delivery-table.js';
import { RequestTable } from './journal.js';
import { PaymentTimeline } from './timeline.js';

interface PaymentRecordsProps {
  readonly details: PaymentDetails;
  readonly deliveries: Reading<{ data: Delivery[] }>;
}

export function PaymentRecords({ details, deliveries }: PaymentRecordsProps) {
  const t = useTexts();
  const { id } = details.payment;
  const requests = useData<{ data: JournalRequest[] }>(
    withQuery('journal', { payment: id }),
    'journal',
    'payments',
  );
  return (
    <>
      <PaymentTimeline id={id} />
      <Charge details={details} requests={requests.data?.data ?? []} />
      <section>
        <h2>{t.nav.journal}</h2>
        <RequestTable reading={requests} empty={t.payments.noRequests} />
      </section>
      <section>
        <h2>{t.webhooks.deliveries}</h2>
        <DeliveryTable reading={deliveries} empty={t.payments.noDeliveries} isOfOnePayment />
      </section>
    </>
  );
}

interface ChargeProps {
  readonly details: PaymentDetails;
  readonly requests: readonly JournalRequest[];
}

function Charge({ details: { payment, idempotencyKey }, requests }: ChargeProps) {
  const t = useTexts();
  const creating = requests.filter(({ operation }) => operation === 'payments.create').length;
  return (
    <section class="card">
      <h2>{t.payments.charge}</h2>
      <Facts
        facts={[
          [
            t.field.amount,
            <span key="amount" class="value">
              <Money cents={payment.amount} />
              {creating > 0 && <span class="faint">{t.payments.chargedOnce(creating)}</span>}
            </span>,
          ],
          [t.field.time, <Time key="at" at={payment.createdAt} />],
          [t.field.key, mono(idempotencyKey)],
        ]}
      />
    </section>
  );
}
