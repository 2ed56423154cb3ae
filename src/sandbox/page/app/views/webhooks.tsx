import type { WebhookEndpoint } from '../../../../contract/webhooks/types.js';
import { deliveryStates, endpointStatuses } from '../../../choices/transitions.js';
import type { DeliverySummary } from '../../../webhooks/delivery-list.js';
import { send, useData, withQuery } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Dialog, Input } from '../parts/dialog.js';
import { Filter, List, Pages } from '../parts/list.js';
import { showError } from '../parts/message.js';
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
      />
      <List
        reading={deliveries}
        label={t.webhooks.deliveries}
        empty={t.webhooks.noDeliveries}
        keyOf={({ id }) => id}
      >
        {({ id, event, state, status, error, attempts, at, url }) => (
          <a class="row delivery" href={to('webhooks', id)}>
            <Status status={state} />
            <strong class="ellipsis">
              <UntrustedText text={event} />
            </strong>
            <span>
              {attempts === 0 ? (
                t.webhooks.waits
              ) : error === undefined ? (
                <HttpStatus status={status} />
              ) : (
                t.webhooks.noAnswer
              )}
            </span>
            <span class="faint">{t.webhooks.attempts(attempts)}</span>
            <span class="ellipsis faint">
              <UntrustedText text={url} />
            </span>
            {at === undefined ? <span /> : <Time at={at} />}
          </a>
        )}
      </List>
      <Pages
        path={['webhooks']}
        query={{ state }}
        isNewest={before === undefined}
        oldest={data.length === pageSize ? data[0]?.id : undefined}
      />
    </section>
  );
}
