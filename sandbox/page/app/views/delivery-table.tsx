import type { Delivery } from '../../../control/responses.js';
import type { DeliverySummary } from '../../../webhooks/delivery-list.js';
import type { Reading } from '../api.js';
import { Table } from '../parts/list.js';
import { Retry } from '../parts/now.js';
import { HttpStatus, Money, plain, Time, UntrustedText } from '../parts/text.js';
import { to } from '../route.js';
import { useTexts } from '../texts/language.js';
import { visible } from '../visible.js';

interface DeliveryTableProps {
  readonly reading: Reading<{ data: readonly Delivery[] }>;
  readonly empty: string;
  /** The page already shows the payment. */
  readonly isOfOnePayment?: boolean;
}

export function DeliveryTable({ reading, empty, isOfOnePayment = false }: DeliveryTableProps) {
  const t = useTexts();
  const payment = {
    head: t.field.payment,
    cell: (delivery: Delivery) =>
      delivery.paymentId && <PaymentCell id={delivery.paymentId} delivery={delivery} />,
  };
  return (
    <Table
      reading={reading}
      label={t.webhooks.deliveries}
      empty={empty}
      getKey={({ id }) => id}
      getLink={({ id }) => to('webhooks', id)}
      columns={[
        { head: t.webhooks.event, kind: 'link', cell: ({ event }) => plain(event) },
        { head: t.field.status, kind: 'state', cell: (delivery) => <DeliveryState delivery={delivery} /> },
        ...(isOfOnePayment ? [] : [payment]),
        { head: t.webhooks.response, cell: (delivery) => <Response delivery={delivery} /> },
        { head: t.webhooks.attemptsHead, kind: 'right', cell: ({ attempts }) => attempts },
        { head: t.webhooks.url, kind: 'wide', cell: ({ url }) => plain(url) },
        { head: t.field.time, cell: ({ at }) => at && <Time at={at} /> },
      ]}
    />
  );
}

/** Says why deliveries that are not sent again failed. */
export function FailedDeliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const t = useTexts();
  const failed = deliveries.filter(({ state, nextAttemptAt }) => state === 'failed' && !nextAttemptAt);
  const latest = failed.at(-1);
  if (latest === undefined) return null;
  const { error = '', url = '', status } = latest;
  const reason = error.includes('ECONNREFUSED')
    ? t.payments.nothingListens(new URL(url).host)
    : visible(error || `HTTP ${status}`);
  return (
    <p class="message bad">
      {t.payments.failed(failed.length, deliveries.length)} {reason}
    </p>
  );
}

const stateTones = { pending: 'calm', delivered: 'good', failed: 'bad' } as const;

/** While retries remain, a failed attempt is not a failed delivery. */
export function DeliveryState({
  delivery: { state, nextAttemptAt },
}: {
  delivery: Pick<DeliverySummary, 'state' | 'nextAttemptAt'>;
}) {
  const t = useTexts();
  if (state !== 'failed' || nextAttemptAt === undefined) {
    return <span class={`status ${stateTones[state]}`}>{t.webhooks.state[state]}</span>;
  }
  return (
    <span class="status wait number">
      <Retry at={nextAttemptAt} />
    </span>
  );
}

function PaymentCell({ id, delivery: { amount, externalReference } }: { id: string; delivery: Delivery }) {
  return (
    <a class="inner cut" href={to('payments', id)}>
      {amount === undefined ? <UntrustedText text={id} mono /> : <Money cents={amount} />}
      {externalReference !== undefined && (
        <>
          {' '}
          <UntrustedText text={externalReference} />
        </>
      )}
    </a>
  );
}

function Response({ delivery: { attempts, error, status, state, response } }: { delivery: Delivery }) {
  const t = useTexts();
  if (attempts === 0) return <>{t.webhooks.queued}</>;
  if (error !== undefined) {
    return <span title={error}>{t.webhooks.noResponse}</span>;
  }
  if (state === 'pending') return <>…</>;
  const body = response?.body.slice(0, 100) ?? '';
  return (
    <span class="cut">
      <HttpStatus status={status} /> {body !== '' && <UntrustedText text={body} mono />}
    </span>
  );
}
