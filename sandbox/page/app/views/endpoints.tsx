import type { WebhookEndpoint } from '../../../../src/contract/webhooks/types.js';
import { endpointStatuses } from '../../../defaults/transitions.js';
import { send, useData } from '../api.js';
import { showError } from '../messages.js';
import { ActionButton } from '../parts/action-button.js';
import { Dialog, Input } from '../parts/dialog.js';
import { List } from '../parts/list.js';
import { UntrustedText } from '../parts/text.js';
import { useTexts } from '../texts/language.js';

export function Endpoints() {
  const t = useTexts();
  return (
    <section>
      <div class="head">
        <h2>{t.webhooks.endpoints}</h2>
        <RegisterEndpoint />
      </div>
      <List
        reading={useData<{ data: WebhookEndpoint[] }>('endpoints', 'endpoints')}
        label={t.webhooks.endpoints}
        empty={t.webhooks.noEndpoints}
        getKey={({ id }) => id}
      >
        {({ id, endpoint, status, hmac_configured, events }) => (
          <div class="row endpoint">
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
                <option key={name} value={name} title={name}>
                  {t.status[name]}
                </option>
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

export function RegisterEndpoint({ kind = 'plain' }: { kind?: 'main' | 'plain' }) {
  const t = useTexts();
  const register = (form: FormData) => {
    const secret = String(form.get('secret') ?? '');
    return send('endpoints', { url: String(form.get('url')), ...(secret !== '' && { secret }) });
  };
  return (
    <Dialog
      open={t.webhooks.register}
      kind={kind}
      title={t.webhooks.registerTitle}
      send={t.webhooks.registerNow}
      submit={register}
    >
      <Input name="url" label={t.webhooks.url} hint={t.webhooks.urlHint} required />
      <Input name="secret" type="password" label={t.webhooks.secret} hint={t.webhooks.secretHint} />
    </Dialog>
  );
}
