import type { WebhookEndpoint } from '../../../../src/contract/webhooks/types.js';
import { deliveryStates, endpointStatuses } from '../../../choices/transitions.js';
import type { DeliverySummary } from '../../../webhooks/delivery-list.js';
import { type Reading, send, useData, withQuery } from '../api.js';
import { showError } from '../messages.js';
import { ActionButton } from '../parts/action-button.js';
import { Dialog, Input } from '../parts/dialog.js';
import { Filter, List, Pages, Table } from '../parts/list.js';
import { Countdown } from '../parts/now.js';
import { HttpStatus, Status, Time, UntrustedText } from '../parts/text.js';
import { type Route, to } from '../route.js';
import { useTexts } from '../texts/language.js';

/** The webhook endpoints and the deliveries to them. */
export function Webhooks({ route }: { route: Route }) {
  const t = useTexts();
  return (
    <>
      <h1>{t.webhooks.title}</h1>
      <Endpoints />
      <Deliveries route={route} />
    </>
  );
}

function Endpoints() {
  const t = useTexts();
  const register = (form: FormData) => {
    const secret = String(form.get('secret') ?? '');
    return send('endpoints', { url: String(form.get('url')), ...(secret !== '' && { secret }) });
  };
  return (
    <section>
      <div class="head">
        <h2>{t.webhooks.endpoints}</h2>
        <Dialog
          open={t.webhooks.register}
          title={t.webhooks.registerTitle}
          send={t.webhooks.registerNow}
          submit={register}
        >
          <Input name="url" label={t.webhooks.url} hint={t.webhooks.urlHint} required />
          <Input name="secret" type="password" label={t.webhooks.secret} hint={t.webhooks.secretHint} />
        </Dialog>
      </div>
      <List
        reading={useData<{ data: WebhookEndpoint[] }>('endpoints', 'endpoints')}
        label={t.webhooks.endpoints}
        empty={t.webhooks.noEndpoints}
        keyOf={({ id }) => id}
      >
        {({ id, endpoint, status, hmac_configured, events }) => (
          <div class="row endpoint">
            <Status status={status} />
            <strong class="ellipsis">
              <UntrustedText text={endpoint} mono />
            </strong>
            <span class="faint">{hmac_configured ? t.webhooks.signed : t.webhooks.unsigned}</span>
            <select
              aria-label={`${t.webhooks.setStatus} ${endpoint.slice(0, 100)}`}
              value={status}
              onChange={({ currentTarget }) =>
                void send(`endpoints/${encodeURIComponent(id)}/status`, {
                  status: currentTarget.value,
                }).catch(showError)
              }
            >
              {endpointStatuses.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <ActionButton
              run={() => send(`endpoints/${encodeURIComponent(id)}`, undefined, 'DELETE')}
              label={`${t.webhooks.remove} ${endpoint.slice(0, 100)}`}
            >
              {t.webhooks.remove}
            </ActionButton>
            <p class="wide faint">
              <UntrustedText text={events.join(', ')} />
            </p>
          </div>
        )}
      </List>
    </section>
  );
}

const pageSize = 50;

function Deliveries({ route: { query } }: { route: Route }) {
  const t = useTexts();
  const state = query.get('state') ?? undefined;
  const before = query.get('before') ?? undefined;
  const deliveries = useData<{ data: DeliverySummary[] }>(
    withQuery('deliveries', { state, before, limit: String(pageSize) }),
    'deliveries',
  );
  const { data = [] } = deliveries.data ?? {};
  return (
    <section>
      <h2>{t.webhooks.deliveries}</h2>
      <Filter
        label={t.webhooks.filter}
        path={['webhooks']}
        name="state"
        values={deliveryStates}
        current={state}
        all={t.webhooks.all}
      />
      <DeliveryTable reading={deliveries} empty={t.webhooks.noDeliveries} />
      <Pages
        path={['webhooks']}
        query={{ state }}
        isNewest={before === undefined}
        oldest={data.length === pageSize ? data[0]?.id : undefined}
      />
    </section>
  );
}

interface DeliveryTableProps {
  readonly reading: Reading<{ data: readonly DeliverySummary[] }>;
  readonly empty: string;
}

/** Deliveries, each with a link to its view. */
export function DeliveryTable({ reading, empty }: DeliveryTableProps) {
  const t = useTexts();
  return (
    <Table
      reading={reading}
      label={t.webhooks.deliveries}
      empty={empty}
      keyOf={({ id }) => id}
      linkOf={({ id }) => to('webhooks', id)}
      columns={[
        { head: t.field.status, cell: ({ state }) => <Status status={state} /> },
        {
          head: t.webhooks.event,
          kind: 'link',
          cell: ({ event }) => <UntrustedText text={event} />,
        },
        { head: t.webhooks.answer, cell: (delivery) => <Answer delivery={delivery} /> },
        { head: t.webhooks.attemptsHead, kind: 'right', cell: ({ attempts }) => attempts },
        {
          head: t.webhooks.next,
          kind: 'named',
          cell: ({ nextAttemptAt }) => nextAttemptAt && <Countdown at={nextAttemptAt} />,
        },
        {
          head: t.webhooks.url,
          kind: 'wide',
          cell: ({ url }) => url && <UntrustedText text={url} />,
        },
        { head: t.webhooks.latest, cell: ({ at }) => at && <Time at={at} /> },
      ]}
    />
  );
}

function Answer({ delivery: { attempts, error, status, state } }: { delivery: DeliverySummary }) {
  const t = useTexts();
  if (attempts === 0) return <>{t.webhooks.queued}</>;
  if (error !== undefined) return <>{t.webhooks.noAnswer}</>;
  return state === 'pending' ? <>…</> : <HttpStatus status={status} />;
}
