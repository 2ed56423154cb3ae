import type { PaymentDetails } from '../../../control/payment-control.js';
import { printedLine } from '../../../payments/boleto.js';
import type { Split } from '../../../payments/split.js';
import { send } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Copy } from '../parts/copy.js';
import { QrCode } from '../parts/qr.js';
import { RecordView } from '../parts/record.js';
import { Facts, Money, Status, Time, UntrustedText } from '../parts/text.js';
import type { Route } from '../route.js';
import { useFormats, useTexts } from '../texts/language.js';
import { PaymentRecords } from './payment-records.js';

/** One payment, with what its payer needs and the controls that are possible. */
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
  const isWide = pix !== undefined || boleto !== undefined || split !== undefined;
  return (
    <>
      <div class="title">
        <h1>
          <Money cents={payment.amount} />
        </h1>
        <Status status={payment.status} />
        <span class="faint">{t.payments.method[payment.paymentMethod] ?? payment.paymentMethod}</span>
      </div>
      <Actions details={details} />
      <div class="columns">
        <div class="stack">
          {pix !== undefined && <Pix code={pix.copyAndPaste} />}
          {boleto !== undefined && <Boleto id={payment.id} boleto={boleto} />}
          {split !== undefined && <SplitTable split={split} />}
          {!isWide && <History details={details} />}
        </div>
        <div class="stack">
          {isWide && <History details={details} />}
          <About details={details} />
        </div>
      </div>
      <PaymentRecords details={details} />
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

function Pix({ code }: { code: string }) {
  const t = useTexts();
  return (
    <section class="card pix">
      <h2>{t.payments.pix}</h2>
      <QrCode text={code} label={t.payments.pixImage} />
      <div class="head">
        <h3>{t.payments.pixCode}</h3>
        <Copy text={code} label={t.payments.pixCode} />
      </div>
      <p class="mono outside long">{code}</p>
      <p class="faint">{t.payments.pixAbout}</p>
    </section>
  );
}

function Boleto({ id, boleto }: { id: string; boleto: NonNullable<PaymentDetails['boleto']> }) {
  const t = useTexts();
  const { date } = useFormats();
  return (
    <section class="card">
      <h2>{t.payments.boleto}</h2>
      <div class="head">
        <h3>{t.payments.line}</h3>
        <Copy text={boleto.digitableLine} label={t.payments.line} />
      </div>
      <p class="mono outside long">{printedLine(boleto.digitableLine)}</p>
      <Facts facts={[[t.payments.due, <span key="due">{date(boleto.dueDate)}</span>]]} />
      <p>
        <a
          class="button"
          href={`payments/${encodeURIComponent(id)}/boleto.pdf`}
          target="_blank"
          rel="noreferrer"
        >
          {t.payments.pdf}
        </a>
      </p>
    </section>
  );
}

function History({ details: { history, expiresAt, payment } }: { details: PaymentDetails }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.payments.history}</h2>
      <ol class="timeline">
        {history.map(({ status, at }) => (
          <li key={`${status} ${at}`}>
            <Status status={status} />
            <Time at={at} />
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
          [t.field.id, <UntrustedText key="id" text={payment.id} mono />],
          [t.field.key, idempotencyKey && <UntrustedText key="key" text={idempotencyKey} mono />],
          [
            t.field.reference,
            payment.externalReference && <UntrustedText key="ref" text={payment.externalReference} />,
          ],
          [t.field.merchant, <UntrustedText key="merchant" text={clientId} mono />],
          [t.payments.card, card && <CardText key="card" card={card} />],
          [t.payments.upsell, payment.upsell && t.payments.upsellYes],
          [
            t.payments.refusal,
            refusalReason !== undefined && <UntrustedText key="refusal" text={textOf(refusalReason)} />,
          ],
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

const textOf = (reason: unknown) =>
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
