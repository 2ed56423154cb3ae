import type { ReceiverAnswer } from '../../../timeline/timeline.js';
import type { DeliveryAttempt } from '../../../webhooks/delivery.js';
import type { DeliveryDetails } from '../../../webhooks/delivery-list.js';
import { send } from '../api.js';
import { showMessage } from '../messages.js';
import { ActionButton } from '../parts/action-button.js';
import { NextAttempt } from '../parts/now.js';
import { PaymentLink } from '../parts/payment-link.js';
import { RecordView } from '../parts/record.js';
import { Code, Facts, HttpStatus, Json, Status, Time, UntrustedText } from '../parts/text.js';
import type { Route } from '../route.js';
import { useTexts } from '../texts/language.js';
import { visible } from '../visible.js';

type Attempt = DeliveryAttempt & { readonly answer?: ReceiverAnswer };

interface Attempts {
  readonly id: string;
  readonly delivery: DeliveryDetails;
  readonly attempts: readonly Attempt[];
}

/** One delivery: every attempt, with its request and the receiver's response. */
export function DeliveryView({ route }: { route: Route }) {
  const t = useTexts();
  return (
    <RecordView<Attempts> route={route} path="deliveries" kinds={['deliveries']} back={t.webhooks.back}>
      {(data) => <Details given={data} />}
    </RecordView>
  );
}

function Details({ given: { id, delivery, attempts } }: { given: Attempts }) {
  const t = useTexts();
  const { event, state, url, paymentId, nextAttemptAt } = delivery;
  const resend = async () => {
    await send(`deliveries/${encodeURIComponent(id)}/resend`);
    showMessage(t.webhooks.resent);
  };
  return (
    <>
      <div class="title">
        <h1>
          <UntrustedText text={event} />
        </h1>
        <Status status={state} />
      </div>
      <section class="card">
        <Facts
          facts={[
            [t.webhooks.url, url && <UntrustedText key="url" text={url} mono />],
            [t.field.payment, paymentId && <PaymentLink id={paymentId} />],
            [t.field.id, <UntrustedText key="id" text={id} mono />],
          ]}
        />
        {nextAttemptAt !== undefined && <NextAttempt at={nextAttemptAt} />}
        {state === 'failed' && nextAttemptAt === undefined && <p class="faint">{t.webhooks.noMore}</p>}
        {attempts.length === 0 && <p class="faint">{t.webhooks.waits}</p>}
        {attempts.length > 0 && (
          <div class="actions">
            <ActionButton run={resend}>{t.webhooks.resend}</ActionButton>
          </div>
        )}
      </section>
      {attempts.toReversed().map((attempt, index) => (
        <AttemptShown key={attempts.length - index} attempt={attempt} />
      ))}
      {attempts.length === 0 && (
        <section class="card">
          <h2>{t.webhooks.body}</h2>
          <Json label={t.webhooks.body} value={delivery.body} />
        </section>
      )}
    </>
  );
}

function AttemptShown({ attempt }: { attempt: Attempt }) {
  const t = useTexts();
  const name = t.webhooks.attempt(attempt.attempt);
  return (
    <section class="card" aria-label={name}>
      <div class="title">
        <h2>{name}</h2>
        <Status status={attempt.state} />
        <Time at={attempt.at} />
      </div>
      <div class="columns">
        <div class="stack">
          <h3>{t.webhooks.answer}</h3>
          <ReceiverAnswerShown attempt={attempt} name={name} />
          <h3>{t.webhooks.headers}</h3>
          <Facts
            facts={Object.entries(attempt.headers).map(([header, value]) => [
              header,
              <UntrustedText key={header} text={value} mono />,
            ])}
          />
        </div>
        <div class="stack">
          <h3>{t.webhooks.body}</h3>
          <Json label={`${name}: ${t.webhooks.body}`} value={attempt.body} />
        </div>
      </div>
    </section>
  );
}

function ReceiverAnswerShown({ attempt, name }: { attempt: Attempt; name: string }) {
  const t = useTexts();
  const { status, error, fault, answer } = attempt;
  return (
    <>
      <Facts
        facts={[
          [t.field.status, status !== undefined && <HttpStatus key="status" status={status} />],
          [t.field.error, error && <UntrustedText key="error" text={error} />],
          [t.webhooks.fault, fault && t.deliveryFaults.preset[fault]],
          [t.webhooks.duration, answer && <span class="number">{answer.duration} ms</span>],
        ]}
      />
      {answer?.body === '' && <p class="faint">{t.webhooks.emptyBody}</p>}
      {answer !== undefined && answer.body !== '' && (
        <Code label={`${name}: ${t.webhooks.answerBody}`} text={visible(answer.body)} />
      )}
    </>
  );
}
