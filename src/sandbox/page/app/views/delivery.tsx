import type { DeliveryAttempt } from '../../../webhooks/delivery.js';
import { send } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { showMessage } from '../parts/message.js';
import { RecordView } from '../parts/record.js';
import { Facts, HttpStatus, Json, Status, Time, UntrustedText } from '../parts/text.js';
import type { Route } from '../route.js';
import { useTexts } from '../texts/language.js';

interface Attempts {
  readonly id: string;
  readonly attempts: readonly DeliveryAttempt[];
}

/** One delivery: every attempt, with the headers and the body exactly as sent. */
export function DeliveryView({ route }: { route: Route }) {
  const t = useTexts();
  return (
    <RecordView<Attempts> route={route} path="deliveries" kinds={['deliveries']} back={t.webhooks.back}>
      {(data) => <Details delivery={data} />}
    </RecordView>
  );
}

function Details({ delivery: { id, attempts } }: { delivery: Attempts }) {
  const t = useTexts();
  const latest = attempts.at(-1);
  const resend = async () => {
    await send(`deliveries/${encodeURIComponent(id)}/resend`);
    showMessage(t.webhooks.resent);
  };
  return (
    <>
      <div class="title">
        <h1>{latest === undefined ? t.webhooks.delivery : <UntrustedText text={latest.event} />}</h1>
        <Status status={latest?.state ?? 'pending'} />
      </div>
      <section class="card" aria-label={t.payments.actions}>
        <div class="actions">
          <ActionButton kind="main" run={resend}>
            {t.webhooks.resend}
          </ActionButton>
        </div>
      </section>
      {attempts.toReversed().map((attempt) => (
        <AttemptShown key={attempt.attempt} attempt={attempt} />
      ))}
    </>
  );
}

function AttemptShown({ attempt }: { attempt: DeliveryAttempt }) {
  const t = useTexts();
  const name = t.webhooks.attempt(attempt.attempt);
  return (
    <section class="card">
      <div class="title">
        <h2>{name}</h2>
        <Status status={attempt.state} />
        {attempt.status !== undefined && <HttpStatus status={attempt.status} />}
        <Time at={attempt.at} />
      </div>
      <Facts
        facts={[
          [t.webhooks.url, <UntrustedText key="url" text={attempt.url} mono />],
          [t.field.error, attempt.error && <UntrustedText key="error" text={attempt.error} />],
        ]}
      />
      <h3>{t.webhooks.headers}</h3>
      <Facts
        facts={Object.entries(attempt.headers).map(([header, value]) => [
          header,
          <UntrustedText key={header} text={value} mono />,
        ])}
      />
      <h3>{t.webhooks.body}</h3>
      <Json label={`${name}: ${t.webhooks.body}`} value={attempt.body} />
    </section>
  );
}
