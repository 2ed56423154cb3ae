import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Payment } from '../../../../src/contract/payments/types.js';
import type { PaymentDetails } from '../../../control/payment-control.js';
import type { Delivery } from '../../../control/responses.js';
import { latePayment, paymentTransitions } from '../../../defaults/transitions.js';
import { readText, send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Copy } from '../parts/copy.js';
import { MoveTo } from '../parts/now.js';
import { PaymentSummary } from '../parts/payment-link.js';
import { Tabs } from '../parts/tabs.js';
import { Code, EventName, Facts, HttpStatus, UntrustedText } from '../parts/text.js';
import { to, withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { DeliveryState } from './delivery-table.js';
import { RegisterEndpoint } from './endpoints.js';
import {
  type ConnectionTarget,
  secretMask,
  secretVariable,
  snippetLanguages,
  writeSnippet,
} from './snippets.js';

/** Each step shows the latest payment's current state. */
export function FirstPayment({ place }: { place: Omit<ConnectionTarget, 'clientSecret'> }) {
  const t = useTexts();
  const reading = useData<{ data: Payment[] }>('payments?limit=1', 'payments');
  const [latest] = reading.data?.data ?? [];
  const samples: Readonly<Record<string, string>> = t.start.samples;
  const [method, setMethod] = useState('pix');
  return (
    <div class="first-payment">
      <ol class="path">
        <Step title={t.start.create} isDone={latest !== undefined}>
          <p class="faint">{t.start.createAbout}</p>
          <div class="actions">
            <Choice label={t.field.method} names={t.payments.method} chosen={method} choose={setMethod} />
            <ActionButton kind="main" run={() => send('payments/sample', { paymentMethod: method })}>
              {samples[method]}
            </ActionButton>
          </div>
          <Snippet place={place} method={method} />
        </Step>
        <PayStep latest={latest} />
        <SeeStep latest={latest} />
      </ol>
      <Connect place={place} />
    </div>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

function Step({ title, isDone, children }: StepProps) {
  const t = useTexts();
  return (
    <li class={isDone ? 'card done' : 'card'}>
      <h2>
        {title}
        {isDone && <span class="sr"> ({t.start.done})</span>}
      </h2>
      {children}
    </li>
  );
}

interface SnippetProps {
  readonly place: Omit<ConnectionTarget, 'clientSecret'>;
  readonly method: string;
}

function Snippet({ place, method }: SnippetProps) {
  const t = useTexts();
  return (
    <>
      <Tabs label={t.start.snippetTabs} names={snippetLanguages} remembered="snippet-language">
        {(name) => {
          const write = (clientSecret: string) => writeSnippet(name, { ...place, clientSecret }, method);
          return (
            <div class="snippet">
              <Copy text={async () => write(await readClientSecret())} label={name} />
              <Code label={name} text={write(secretMask)} />
            </div>
          );
        }}
      </Tabs>
      {navigator.clipboard !== undefined && <p class="faint">{t.start.secretNote(secretVariable)}</p>}
    </>
  );
}

const payable: readonly string[] = paymentTransitions.pay.from;

const isPayable = ({ paymentMethod, status }: Payment) =>
  payable.includes(status) || (paymentMethod === latePayment.paymentMethod && status === latePayment.from);

function PayStep({ latest }: { latest: Payment | undefined }) {
  const t = useTexts();
  const canPay = latest !== undefined && isPayable(latest);
  return (
    <Step title={t.start.pay} isDone={latest !== undefined && !canPay}>
      {latest === undefined ? (
        <p class="faint">{t.start.payAbout}</p>
      ) : (
        <>
          <PaymentSummary payment={latest} />
          <div class="actions">
            {canPay && (
              <ActionButton kind="main" run={() => send(`payments/${encodeURIComponent(latest.id)}/pay`)}>
                {t.payments.act.pay}
              </ActionButton>
            )}
            {latest.paymentMethod === 'boleto' && latest.status === 'waiting_payment' && (
              <MovePastDue id={latest.id} />
            )}
            <a class="button" href={to('payments', latest.id)}>
              {t.start.open}
            </a>
          </div>
        </>
      )}
    </Step>
  );
}

function MovePastDue({ id }: { id: string }) {
  const t = useTexts();
  const { data } = useData<PaymentDetails>(`payments/${encodeURIComponent(id)}`, 'payments');
  return data?.expiresAt === undefined ? null : <MoveTo at={data.expiresAt}>{t.clock.movePastDue}</MoveTo>;
}

function SeeStep({ latest }: { latest: Payment | undefined }) {
  const t = useTexts();
  const endpoints = useData<{ data: unknown[] }>('endpoints', 'endpoints');
  const deliveries = useData<{ data: Delivery[] }>(
    withQuery('deliveries', { payment: latest?.id ?? 'none', limit: '4' }),
    'deliveries',
  );
  const { data = [] } = deliveries.data ?? {};
  const hasNoEndpoint = endpoints.data?.data.length === 0;
  return (
    <Step title={t.start.see} isDone={data.some(({ state }) => state === 'delivered')}>
      {data.length === 0 && <p class="faint">{hasNoEndpoint ? t.start.seeAbout : t.start.seeNext}</p>}
      {hasNoEndpoint && (
        <div class="actions">
          <RegisterEndpoint />
        </div>
      )}
      {data.length > 0 && (
        <ul class="stack">
          {data.toReversed().map((delivery) => (
            <li key={delivery.id} class="value">
              <a href={to('webhooks', delivery.id)}>
                <EventName event={delivery.event} />
              </a>
              <DeliveryState delivery={delivery} />
              {delivery.status !== undefined && <HttpStatus status={delivery.status} />}
            </li>
          ))}
        </ul>
      )}
    </Step>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The visible names, by value. */
  readonly names: Readonly<Record<string, string>>;
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

/** A choice between a few values, which the arrow keys change. It changes nothing in the sandbox. */
function Choice({ label, names, chosen, choose }: ChoiceProps) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend class="sr">{label}</legend>
      {Object.entries(names).map(([name, text]) => (
        <label key={name}>
          <input type="radio" name={id} checked={name === chosen} onChange={() => choose(name)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** The page copies it, but never shows it. */
async function readClientSecret(): Promise<string> {
  const { clientSecret } = JSON.parse(await readText('credentials')) as { clientSecret: string };
  return clientSecret;
}

function Connect({ place: { baseUrl, clientId } }: { place: Omit<ConnectionTarget, 'clientSecret'> }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.start.connect}</h2>
      <Facts
        facts={[
          [t.start.baseUrl, <Value key="url" text={baseUrl} label={t.start.baseUrl} />],
          [t.start.clientId, <Value key="id" text={clientId} label={t.start.clientId} />],
          [
            t.start.secretName,
            <span key="secret" class="value">
              <span class="mono">{secretMask}</span>{' '}
              <Copy text={readClientSecret} label={t.start.secretName} />
            </span>,
          ],
        ]}
      />
    </section>
  );
}

const Value = ({ text, label }: { text: string; label: string }) => (
  <span class="value">
    <UntrustedText text={text} mono /> <Copy text={text} label={label} />
  </span>
);
