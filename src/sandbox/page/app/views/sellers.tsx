import { withdrawalTransitions } from '../../../choices/transitions.js';
import type { OnboardingRecord } from '../../../control/onboarding-control.js';
import type { SubAccount } from '../../../sellers/sub-accounts.js';
import type { WithdrawalRecord } from '../../../sellers/withdrawals.js';
import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { List } from '../parts/list.js';
import { Money, Status, Time, UntrustedText } from '../parts/text.js';
import { to } from '../route.js';
import { useTexts } from '../texts/language.js';

const withdrawalEnds = Object.keys(withdrawalTransitions) as (keyof typeof withdrawalTransitions)[];

/** Registrations, sub-accounts and withdrawals. */
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

/** The name in a form; forms of people and of companies have different fields. */
export const nameIn = (fields: Readonly<Record<string, unknown>>, otherwise: string): string =>
  String(fields.fullName ?? fields.companyName ?? fields.name ?? fields.documentNumber ?? otherwise);

function Registrations() {
  const t = useTexts();
  return (
    <section>
      <h2>{t.sellers.registrations}</h2>
      <List
        reading={useData<{ data: OnboardingRecord[] }>('onboarding', 'onboarding')}
        label={t.sellers.registrations}
        empty={t.sellers.noRegistrations}
        keyOf={(record) => record.registration_id}
      >
        {(record) => (
          <a class="row seller" href={to('sellers', record.registration_id)}>
            <Status status={record.status} />
            <strong class="ellipsis">
              <UntrustedText text={nameIn(record.fields, record.registration_id)} />
            </strong>
            <span>{t.sellers.kind[record.kind]}</span>
            <span class="faint">{record.can_resubmit ? t.sellers.resubmit : ''}</span>
            <Time at={record.createdAt} />
          </a>
        )}
      </List>
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
      <List
        reading={useData<{ data: SubAccount[] }>('submerchants', 'submerchants')}
        label={t.sellers.accounts}
        empty={t.sellers.noAccounts}
        keyOf={({ internalId }) => internalId}
      >
        {({ internalId, status, document, fields, createdAt }) => (
          <div class="row seller">
            <Status status={status} />
            <strong class="ellipsis">
              <UntrustedText text={nameIn(fields, document?.number ?? internalId)} />
            </strong>
            <span class="ellipsis faint">
              <UntrustedText text={internalId} mono />
            </span>
            <span>
              {status === 'active' ? (
                <ActionButton run={set(internalId, 'inactive')}>{t.sellers.deactivate}</ActionButton>
              ) : (
                <ActionButton run={set(internalId, 'active')}>{t.sellers.activate}</ActionButton>
              )}
            </span>
            <Time at={createdAt} />
          </div>
        )}
      </List>
    </section>
  );
}

function Withdrawals() {
  const t = useTexts();
  return (
    <section>
      <h2>{t.sellers.withdrawals}</h2>
      <List
        reading={useData<{ data: WithdrawalRecord[] }>('withdrawals', 'withdrawals')}
        label={t.sellers.withdrawals}
        empty={t.sellers.noWithdrawals}
        keyOf={(record) => String(record.withdraw_id)}
      >
        {(record) => (
          <div class="row seller">
            <Status status={record.status} />
            <strong>
              <Money cents={record.amount} />
            </strong>
            <span class="mono">{record.withdraw_id}</span>
            <span class="actions">
              {record.status === 'pending' &&
                withdrawalEnds.map((end) => (
                  <ActionButton key={end} run={() => send(`withdrawals/${record.withdraw_id}/${end}`)}>
                    {t.sellers[end]}
                  </ActionButton>
                ))}
            </span>
            <Time at={record.createdAt} />
          </div>
        )}
      </List>
    </section>
  );
}
