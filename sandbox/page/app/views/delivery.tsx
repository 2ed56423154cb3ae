import type { DeliveryAttempts } from '../../../control/responses.js';
import { send } from '../api.js';
import { showMessage } from '../messages.js';
import { ActionButton } from '../parts/action-button.js';
import { MoveTo } from '../parts/now.js';
import { PaymentLink } from '../parts/payment-link.js';
import { RecordView } from '../parts/record.js';
import { Code, EventName, Facts, HttpStatus, Json, mono, plain, Time } from '../parts/text.js';
import type { Route } from '../route.js';
import { useTexts } from '../texts/language.js';
import { visible } from '../visible.js';
import { DeliveryState } from './delivery-table.js';

type Attempt = DeliveryAttempts['attempts'][number];

export function DeliveryView({ route }: { route: Route }) {
  const t = useTexts();
  return (
    <RecordView<DeliveryAttempts>
      route={route}
      path="deliveries"
      kinds={['deliveries']}
      back={t.webhooks.back}
    >
      {(data) => <Details data={data} />}
    </RecordView>
  );
}

function Details({ data: { id, delivery, attempts } }: { data: DeliveryAttempts }) {
  const t = useTexts();
  return (
    <>
      <div class="title">
        <h1>
          <EventName event={delivery.event} />
        </h1>
        <DeliveryState delivery={delivery} />
      </div>
      <div class="columns">
        <div class="stack">
          <About id={id} delivery={delivery} />
          {attempts.toReversed().map((attempt, index) => (
            <AttemptShown
              key={attempts.length - index}
              attempt={attempt}
              first={attempts[0]}
              isLatest={index === 0}
              usualBody={delivery.body}
            />
          ))}
        </div>
        <section class="card beside">
          <h2>{t.webhooks.body}</h2>
          <Json label={t.webhooks.body} value={delivery.body} />
        </section>
      </div>
    </>
  );
}

function About({ id, delivery }: Pick<DeliveryAttempts, 'id' | 'delivery'>) {
  const t = useTexts();
  const { state, url, paymentId, attempts, nextAttemptAt } = delivery;
  const resend = async () => {
    await send(`deliveries/${encodeURIComponent(id)}/resend`);
    showMessage(t.webhooks.resent);
  };
  return (
    <section class="card">
      <Facts
        facts={[
          [t.field.payment, paymentId && <PaymentLink id={paymentId} />],
          [t.webhooks.url, mono(url)],
          [t.field.id, mono(id)],
        ]}
      />
      {state === 'failed' && nextAttemptAt === undefined && <p class="faint">{t.webhooks.noMore}</p>}
      {attempts === 0 ? (
        <p class="faint">{t.webhooks.waits}</p>
      ) : (
        <div class="actions">
          {nextAttemptAt !== undefined && <MoveTo at={nextAttemptAt}>{t.clock.moveToRetry}</MoveTo>}
          <ActionButton run={resend}>{t.webhooks.resend}</ActionButton>
        </div>
      )}
    </section>
  );
}

interface AttemptProps {
  readonly attempt: Attempt;
  readonly first: Attempt | undefined;
  readonly isLatest: boolean;
  /** A fault can change an attempt's body. */
  readonly usualBody: string;
}

function AttemptShown({ attempt, first, isLatest, usualBody }: AttemptProps) {
  const t = useTexts();
  const name = t.webhooks.attempt(attempt.attempt);
  return (
    <section class="card" aria-label={name}>
      <div class="title">
        <h2>{name}</h2>
        {attempt.state !== 'pending' && <HttpStatus status={attempt.status} />}
        <Time at={attempt.at} since={attempt === first ? undefined : first?.at} />
      </div>
      <Response attempt={attempt} name={name} />
      <details open={isLatest}>
        <summary>{t.webhooks.headers}</summary>
        <Facts facts={Object.entries(attempt.headers).map(([header, value]) => [header, mono(value)])} />
      </details>
      {attempt.body !== usualBody && (
        <>
          <h3>{t.webhooks.otherBody}</h3>
          <Json label={`${name}: ${t.webhooks.otherBody}`} value={attempt.body} />
        </>
      )}
    </section>
  );
}

function Response({ attempt: { error, fault, response }, name }: { attempt: Attempt; name: string }) {
  const t = useTexts();
  return (
    <>
      <Facts
        facts={[
          [t.field.error, plain(error)],
          [t.webhooks.fault, fault && t.deliveryFaults.preset[fault]],
          [t.webhooks.duration, response && <span class="number">{response.duration} ms</span>],
        ]}
      />
      {response?.body === '' && <p class="faint">{t.webhooks.emptyBody}</p>}
      {response !== undefined && response.body !== '' && (
        <>
          <h3>{t.webhooks.responseBody}</h3>
          <Code label={`${name}: ${t.webhooks.responseBody}`} text={visible(response.body)} />
        </>
      )}
    </>
  );
}
