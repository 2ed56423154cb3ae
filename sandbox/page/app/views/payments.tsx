import type { ComponentChildren } from 'preact';
import type { Payment } from '../../../../src/contract/payments/types.js';
import type { UnresolvedKey } from '../../../control/payment-control.js';
import type { Info } from '../../../control/responses.js';
import { paymentStatuses } from '../../../defaults/transitions.js';
import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Filter, Pages, Table } from '../parts/list.js';
import { Money, plain, StatusLabel, Time, UntrustedText } from '../parts/text.js';
import { type Route, to, toQuery, withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';

const pageSize = 50;

export function Payments({ route: { query } }: { route: Route }) {
  const t = useTexts();
  const status = query.get('status') ?? undefined;
  const before = query.get('before') ?? undefined;
  const search = query.get('search') ?? undefined;
  const payments = useData<{ data: Payment[] }>(
    withQuery('payments', { status, before, search, limit: String(pageSize) }),
    'payments',
  );
  const { data = [] } = payments.data ?? {};
  const info = useData<Info>('info', 'payments');
  return (
    <>
      <h1>{t.payments.title}</h1>
      <Unresolved />
      <Search key={`${search} ${status}`} search={search} status={status}>
        {data.length > 0 && t.payments.shown(data.length, data.length === pageSize || before !== undefined)}
      </Search>
      <Filter
        label={t.payments.filter}
        path={['payments']}
        name="status"
        values={paymentStatuses}
        current={status}
        all={t.payments.all}
        labels={t.status}
        query={{ search }}
        counts={search === undefined ? info.data?.counts.paymentsByStatus : undefined}
      />
      <Table
        reading={payments}
        label={t.payments.title}
        empty={status === undefined && search === undefined ? t.payments.empty : t.payments.emptyFilter}
        getKey={({ id }) => id}
        getLink={({ id }) => to('payments', id)}
        columns={[
          { head: t.field.amount, kind: 'link right', cell: ({ amount }) => <Money cents={amount} /> },
          { head: t.field.status, kind: 'state', cell: ({ status }) => <StatusLabel status={status} /> },
          {
            head: t.field.method,
            cell: ({ paymentMethod }) => t.payments.method[paymentMethod] ?? paymentMethod,
          },
          { head: t.field.order, kind: 'wide', cell: ({ externalReference }) => plain(externalReference) },
          { head: t.payments.customer, kind: 'wide', cell: ({ customer }) => plain(customer?.name) },
          { head: t.field.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <Pages
        path={['payments']}
        query={{ status, search }}
        isNewest={before === undefined}
        oldest={data.length === pageSize ? data[0]?.id : undefined}
      />
    </>
  );
}

interface SearchProps {
  readonly search: string | undefined;
  readonly status: string | undefined;
  /** How many payments were found. */
  readonly children: ComponentChildren;
}

function Search({ search, status, children }: SearchProps) {
  const t = useTexts();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const searched = String(new FormData(event.currentTarget as HTMLFormElement).get('search')).trim();
    location.hash = toQuery(['payments'], { status, search: searched || undefined });
  };
  return (
    <form class="inline search" onSubmit={onSubmit}>
      <input
        type="search"
        name="search"
        aria-label={t.payments.search}
        placeholder={t.payments.searchHint}
        defaultValue={search}
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit">{t.payments.searchNow}</button>
      <output class="faint">{children}</output>
    </form>
  );
}

function Unresolved() {
  const t = useTexts();
  const { data } = useData<{ data: UnresolvedKey[] }>('payments/unresolved', 'payments');
  if (data === undefined || data.data.length === 0) return null;
  const resolve =
    ({ idempotencyKey, clientId }: UnresolvedKey, resolution: string) =>
    () =>
      send('payments/resolve', { idempotencyKey, resolution, clientId });
  return (
    <section class="card attention">
      <h2>{t.payments.unresolved}</h2>
      <p class="faint">{t.payments.unresolvedAbout}</p>
      <ul class="rows" aria-label={t.payments.unresolved}>
        {data.data.map((unresolved) => (
          <li key={`${unresolved.clientId} ${unresolved.idempotencyKey}`} class="row unresolved">
            <strong>
              <Money cents={unresolved.amount} />
            </strong>
            <UntrustedText text={unresolved.idempotencyKey} mono />
            <span class="actions">
              <ActionButton run={resolve(unresolved, 'created')}>{t.payments.created}</ActionButton>
              <ActionButton run={resolve(unresolved, 'not-created')}>{t.payments.notCreated}</ActionButton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
