import type { PaymentDetails } from '../../../control/payment-control.js';
import type { Delivery } from '../../../control/responses.js';
import type { Split } from '../../../payments/split.js';
import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { RecordView } from '../parts/record.js';
import { Facts, Money, mono, plain, StatusLabel, Time, UntrustedText } from '../parts/text.js';
import { type Route, toQuery, withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { FailedDeliveries } from './delivery-table.js';
import { Boleto, Pix } from './payment-codes.js';
import { PaymentRecords } from './payment-records.js';

export function PaymentView({ route }: { route: Route }) {
  const t = useTexts();
  return (
    <RecordView<PaymentDetails>
      route={route}
      path="payments"
      kinds={['payments', 'clock']}
      back={t.payments.back}
    >
      {(data) => <Details details={data} />}
    </RecordView>
  );
}

function Details({ details }: { details: PaymentDetails }) {
  const t = useTexts();
  const { payment, pix, boleto } = details;
  const split = payment.split as Split | undefined;
  const deliveries = useData<{ data: Delivery[] }>(
    withQuery('deliveries', { payment: payment.id }),
    'deliveries',
  );
  const isWide = pix !== undefined || boleto !== undefined || split !== undefined;
  return (
    <>
      <div class="title">
        <h1>
          <Money cents={payment.amount} />
        </h1>
        <StatusLabel status={payment.status} isNamed />
        <span class="faint">{t.payments.method[payment.paymentMethod] ?? payment.paymentMethod}</span>
        {plain(payment.externalReference)}
        {deliveries.data !== undefined && (
          <a class="aside" href={toQuery(['webhooks'], { payment: payment.id })}>
            {t.payments.deliveries(deliveries.data.data.length)}
          </a>
        )}
      </div>
      <FailedDeliveries deliveries={deliveries.data?.data ?? []} />
      <Actions details={details} />
      <div class="columns">
        <div class="stack">
          {pix !== undefined && (
            <Pix code={pix.copyAndPaste} isPayable={details.transitions.includes('pay')} />
          )}
          {boleto !== undefined && (
            <Boleto
              id={payment.id}
              boleto={boleto}
              expiresAt={payment.status === 'waiting_payment' ? details.expiresAt : undefined}
            />
          )}
          {split !== undefined && <SplitTable split={split} />}
          {!isWide && <History details={details} />}
        </div>
        <div class="stack">
          {isWide && <History details={details} />}
          <About details={details} />
        </div>
      </div>
      <PaymentRecords details={details} deliveries={deliveries} />
    </>
  );
}

function Actions({ details: { payment, transitions } }: { details: PaymentDetails }) {
  const t = useTexts();
  return (
    <section class="card" aria-label={t.payments.actions}>
      {transitions.length === 0 ? (
        <p class="faint">{t.payments.final}</p>
      ) : (
        <div class="actions">
          {transitions.map((name) => (
            <ActionButton
              key={name}
              kind={name === 'pay' ? 'main' : 'plain'}
              run={() => send(`payments/${encodeURIComponent(payment.id)}/${name}`)}
            >
              {t.payments.act[name]}
            </ActionButton>
          ))}
        </div>
      )}
    </section>
  );
}

function History({ details: { history, expiresAt, payment } }: { details: PaymentDetails }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.payments.history}</h2>
      <ol class="timeline">
        {history.map(({ status, at }, index) => (
          <li key={`${status} ${at}`}>
            <StatusLabel status={status} />
            <Time at={at} since={index === 0 ? undefined : history[0]?.at} />
          </li>
        ))}
        {expiresAt !== undefined && payment.status === 'waiting_payment' && (
          <li class="later">
            <span class="status calm">{t.payments.expires}</span>
            <Time at={expiresAt} />
          </li>
        )}
      </ol>
    </section>
  );
}

function About({ details: { payment, clientId, idempotencyKey } }: { details: PaymentDetails }) {
  const t = useTexts();
  const { customer, card, items = [], refusalReason } = payment;
  return (
    <section class="card">
      <h2>{t.payments.details}</h2>
      <Facts
        facts={[
          [t.field.id, mono(payment.id)],
          [t.field.key, mono(idempotencyKey)],
          [t.field.order, plain(payment.externalReference)],
          [t.field.merchant, mono(clientId)],
          [t.payments.card, card && <CardText key="card" card={card} />],
          [t.payments.upsell, payment.upsell && t.payments.upsellYes],
          [t.payments.declineReason, refusalReason !== undefined && plain(unwrapReason(refusalReason))],
          [t.payments.customer, customer && <CustomerText key="customer" customer={customer} />],
          [
            t.payments.items,
            <ul key="items" class="plain-list">
              {items.map((item, index) => (
                <li key={index}>
                  {item.quantity} × <UntrustedText text={item.title} /> (<Money cents={item.unitPrice} />)
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
    </section>
  );
}

const unwrapReason = (reason: unknown) =>
  typeof reason === 'object' && reason !== null && 'message' in reason ? reason.message : reason;

function CardText({ card }: { card: object }) {
  const { brand, last4 } = card as { brand?: string; last4?: string };
  return <UntrustedText text={brand === undefined ? '—' : `${brand} •••• ${last4}`} />;
}

function CustomerText({ customer }: { customer: object }) {
  const { documentType, documentNumber, ...others } = customer as Record<string, unknown>;
  const document = [String(documentType ?? '').toUpperCase(), documentNumber].filter(Boolean).join(' ');
  const lines = [...Object.values(others), document].filter((line) => line != null && line !== '');
  return (
    <ul class="plain-list">
      {lines.map((line) => (
        <li key={line}>
          <UntrustedText text={typeof line === 'object' ? JSON.stringify(line) : line} />
        </li>
      ))}
    </ul>
  );
}

function SplitTable({ split: { entries, netAmount } }: { split: Split }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.payments.split}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.payments.receiver}</th>
            <th scope="col" class="right">
              {t.field.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ role, document, internalId, amount }) => (
            <tr key={internalId ?? role}>
              <td>
                {role === 'owner' ? `${t.payments.owner}: ` : ''}
                <UntrustedText text={document?.number ?? internalId ?? t.payments.platform} />
              </td>
              <td class="right">
                <Money cents={amount} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.payments.splitSum}</th>
            <td class="right">
              <strong>
                <Money cents={netAmount} />
              </strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
