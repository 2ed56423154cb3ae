import type { OnboardingRecord } from '../../../control/onboarding-control.js';
import type { SubAccountWithBalance } from '../../../control/responses.js';
import { withdrawalTransitions } from '../../../defaults/transitions.js';
import type { WithdrawalRecord } from '../../../sellers/withdrawals.js';
import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Table } from '../parts/list.js';
import { Money, mono, plain, StatusLabel, Time, UntrustedText } from '../parts/text.js';
import { to } from '../route.js';
import { useTexts } from '../texts/language.js';

const withdrawalEnds = Object.keys(withdrawalTransitions) as (keyof typeof withdrawalTransitions)[];

export function Sellers() {
  const t = useTexts();
  return (
    <>
      <h1>{t.sellers.title}</h1>
      <Registrations />
      <Accounts />
      <Withdrawals />
    </>
  );
}

/** Forms of people and of companies have different fields. */
export const nameIn = (fields: Readonly<Record<string, unknown>>, otherwise: string): string =>
  String(
    fields.fullName ??
      fields.companyName ??
      fields.representativeName ??
      fields.name ??
      fields.documentNumber ??
      otherwise,
  );

const submitSample = (kind: 'pf' | 'pj') => send('onboarding/sample', { kind });

function Registrations() {
  const t = useTexts();
  return (
    <section>
      <div class="head">
        <h2>{t.sellers.registrations}</h2>
        <div class="actions">
          <ActionButton kind="main" run={() => submitSample('pf')}>
            {t.sellers.createPf}
          </ActionButton>
          <ActionButton run={() => submitSample('pj')}>{t.sellers.createPj}</ActionButton>
        </div>
      </div>
      <Table
        reading={useData<{ data: OnboardingRecord[] }>('onboarding', 'onboarding')}
        label={t.sellers.registrations}
        empty={t.sellers.noRegistrations}
        getKey={(record) => record.registration_id}
        getLink={(record) => to('sellers', record.registration_id)}
        columns={[
          {
            head: t.field.name,
            kind: 'link',
            cell: ({ fields, registration_id: id }) => plain(nameIn(fields, id)),
          },
          { head: t.field.status, kind: 'state', cell: ({ status }) => <StatusLabel status={status} /> },
          { head: t.field.type, cell: ({ kind }) => t.sellers.kind[kind] },
          {
            head: t.sellers.resubmit,
            cell: ({ can_resubmit: may }) => (may ? t.sellers.resubmitYes : undefined),
          },
          { head: t.field.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}

function Accounts() {
  const t = useTexts();
  const set = (id: string, status: string) => () =>
    send(`submerchants/${encodeURIComponent(id)}/status`, { status });
  return (
    <section>
      <h2>{t.sellers.accounts}</h2>
      <Table
        reading={useData<{ data: SubAccountWithBalance[] }>(
          'submerchants',
          'submerchants',
          'payments',
          'withdrawals',
        )}
        label={t.sellers.accounts}
        empty={t.sellers.noAccounts}
        getKey={({ internalId }) => internalId}
        columns={[
          {
            head: t.field.name,
            kind: 'link',
            cell: ({ fields, document, internalId }) => (
              <strong>
                <UntrustedText text={nameIn(fields, document?.number ?? internalId)} />
              </strong>
            ),
          },
          { head: t.field.status, kind: 'state', cell: ({ status }) => <StatusLabel status={status} /> },
          { head: t.sellers.balance, kind: 'right', cell: ({ balance }) => <Money cents={balance} /> },
          { head: t.field.id, kind: 'wide', cell: ({ internalId }) => mono(internalId) },
          { head: t.field.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            head: t.field.actions,
            kind: 'actions',
            cell: ({ internalId, status }) =>
              status === 'active' ? (
                <ActionButton run={set(internalId, 'inactive')}>{t.sellers.deactivate}</ActionButton>
              ) : (
                <ActionButton run={set(internalId, 'active')}>{t.sellers.activate}</ActionButton>
              ),
          },
        ]}
      />
      <p class="faint">{t.sellers.balanceAbout}</p>
    </section>
  );
}

function Withdrawals() {
  const t = useTexts();
  return (
    <section>
      <h2>{t.sellers.withdrawals}</h2>
      <Table
        reading={useData<{ data: WithdrawalRecord[] }>('withdrawals', 'withdrawals')}
        label={t.sellers.withdrawals}
        empty={t.sellers.noWithdrawals}
        getKey={(record) => String(record.withdraw_id)}
        columns={[
          {
            head: t.field.id,
            kind: 'link',
            cell: (record) => <span class="mono">{record.withdraw_id}</span>,
          },
          { head: t.field.amount, kind: 'right', cell: ({ amount }) => <Money cents={amount} /> },
          { head: t.field.status, kind: 'state', cell: ({ status }) => <StatusLabel status={status} /> },
          { head: t.sellers.account, kind: 'wide', cell: ({ internalId }) => mono(internalId) },
          { head: t.field.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            head: t.field.actions,
            kind: 'actions',
            cell: ({ status, withdraw_id: id }) =>
              status === 'pending' ? (
                <span class="actions">
                  {withdrawalEnds.map((end) => (
                    <ActionButton key={end} run={() => send(`withdrawals/${id}/${end}`)}>
                      {t.sellers[end]}
                    </ActionButton>
                  ))}
                </span>
              ) : undefined,
          },
        ]}
      />
    </section>
  );
}
