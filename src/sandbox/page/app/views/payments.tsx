import type { Payment } from '../../../../contract/payments/types.js';
import { paymentStatuses } from '../../../choices/transitions.js';
import type { UnresolvedKey } from '../../../control/payment-control.js';
import { send, useData, withQuery } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Filter, List, Pages } from '../parts/list.js';
import { Money, Status, Time, UntrustedText } from '../parts/text.js';
import { type Route, to } from '../route.js';
import { useTexts } from '../texts/language.js';

const pageSize = 50;

/** The payments, and the keys whose outcome is unknown. */
export function Payments({ route: { query } }: { route: Route }) {
  const t = useTexts();
  const status = query.get('status') ?? undefined;
  const before = query.get('before') ?? undefined;
  const payments = useData<{ data: Payment[] }>(
    withQuery('payments', { status, before, limit: String(pageSize) }),
    'payments',
  );
  const { data = [] } = payments.data ?? {};
  return (
    <>
      <h1>{t.payments.title}</h1>
      <Unresolved />
      <Filter
        label={t.payments.filter}
        path={['payments']}
        name="status"
        values={paymentStatuses}
        current={status}
      />
      <List
        reading={payments}
        label={t.payments.title}
        empty={status === undefined ? t.payments.empty : t.payments.emptyFilter}
        keyOf={({ id }) => id}
      >
        {(payment) => (
          <a class="row payment" href={to('payments', payment.id)}>
            <Status status={payment.status} />
            <strong>
              <Money cents={payment.amount} />
            </strong>
            <span>{t.payments.method[payment.paymentMethod] ?? payment.paymentMethod}</span>
            <span class="ellipsis">
              <UntrustedText text={payment.externalReference ?? payment.customer?.name ?? payment.id} />
            </span>
            <Time at={payment.createdAt} />
          </a>
        )}
      </List>
      <Pages
        path={['payments']}
        query={{ status }}
        isNewest={before === undefined}
        oldest={data.length === pageSize ? data[0]?.id : undefined}
      />
    </>
  );
}

function Unresolved() {
  const t = useTexts();
  const { data } = useData<{ data: UnresolvedKey[] }>('payments/unresolved', 'payments');
  if (data === undefined || data.data.length === 0) return null;
  const resolve = (idempotencyKey: string, resolution: string) => () =>
    send('payments/resolve', { idempotencyKey, resolution });
  return (
    <section class="card attention">
      <h2>{t.payments.unresolved}</h2>
      <p class="faint">{t.payments.unresolvedAbout}</p>
      <ul class="rows" aria-label={t.payments.unresolved}>
        {data.data.map(({ idempotencyKey, clientId, amount }) => (
          <li key={`${clientId} ${idempotencyKey}`} class="row unresolved">
            <strong>
              <Money cents={amount} />
            </strong>
            <UntrustedText text={idempotencyKey} mono />
            <span class="actions">
              <ActionButton run={resolve(idempotencyKey, 'created')}>{t.payments.created}</ActionButton>
              <ActionButton run={resolve(idempotencyKey, 'not-created')}>
                {t.payments.notCreated}
              </ActionButton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
