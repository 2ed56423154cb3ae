import type {
  DurablePayments,
  DurableRecord,
  DurableWithdrawals,
  PaymentRecord,
  RowState,
} from '../../../src/durable/index.js';

export interface DatabaseOptions {
  readonly of?: Kind;
  readonly databaseUrl?: string;
  readonly table?: string;
  readonly baseUrl?: string;
  readonly config?: string;
  readonly json?: boolean;
}

export interface ChangeOptions extends DatabaseOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly mayCharge?: boolean;
  readonly withdrawId?: string;
}

export type Kind = 'payments' | 'withdrawals' | 'onboarding';

export type OneRecord = PaymentRecord | DurableRecord;

export type Fields = Partial<Omit<PaymentRecord, 'state'> & Omit<DurableRecord, 'state'>>;

/** Only payments can be refreshed, and only withdrawals wait for a person's decision. */
export type Records = Pick<DurablePayments<never>, 'retry' | 'cancel'> & {
  counts: (DurablePayments<never> | DurableWithdrawals<never>)['counts'];
  list(options: object): Promise<readonly OneRecord[]>;
  find(key: string): Promise<OneRecord | undefined>;
  settle(key: string): Promise<{ readonly record: OneRecord }>;
  findPayload(key: string): Promise<object | undefined>;
} & Partial<Pick<DurablePayments<never>, 'refresh'> & Pick<DurableWithdrawals<never>, 'confirm' | 'dismiss'>>;

export const stateFacts: Readonly<Record<RowState, { readonly meaning: string; readonly next: string }>> = {
  recorded: { meaning: 'not executed, is sent when it is due', next: 'wait, or settle it now' },
  blocked: {
    meaning: 'not executed: the platform rejects the credentials, the products, the address or the method',
    next: 'repair the configuration, and then settle it or wait',
  },
  sending: {
    meaning: 'a process is sending it, or did not record the outcome',
    next: 'once it is due, start a process or settle it',
  },
  unknown: {
    meaning: 'the platform may have executed it',
    next: 'wait, or settle it now: the same key is sent again',
  },
  settled: { meaning: 'it exists on the platform', next: 'nothing' },
  failed: { meaning: 'not sent again', next: 'nothing, or retry it and then settle it with the same key' },
  given_up: {
    meaning: 'the outcome is not known, and nothing more is sent',
    next: 'check on the platform whether it was executed, and then retry or cancel',
  },
  in_doubt: {
    meaning: 'the platform may have executed it, and nothing more is sent',
    next: 'ask the platform, and then confirm or dismiss it',
  },
};

/** Only a payment has a status that changes after it was settled. */
export const nextStep = (record: OneRecord): string =>
  record.state === 'settled' && 'externalId' in record
    ? 'nothing, or refresh it for its current status'
    : stateFacts[record.state].next;

export interface Change {
  readonly description: string;
  readonly kinds: readonly Kind[];
  readonly states: readonly RowState[];
  /** Explains the effect on money. */
  readonly effect: (key: string, options: ChangeOptions, record: OneRecord) => string;
  readonly run: (records: Records, key: string, options: ChangeOptions) => Promise<OneRecord | boolean>;
}

export const everyKind: readonly Kind[] = ['payments', 'withdrawals', 'onboarding'];

const executed: Readonly<Record<Kind, string>> = {
  payments: 'creates the payment now, and charges the card if it has one',
  withdrawals: 'pays the money out now',
  onboarding: 'registers the seller now',
};

export const changes: Readonly<Record<string, Change>> = {
  settle: {
    description: 'send or resume it now, with its recorded key and payload',
    kinds: everyKind,
    states: ['recorded', 'blocked', 'sending', 'unknown'],
    effect: (key, { of = 'payments' }, { state, inDoubt, deadline }) =>
      deadline.getTime() < Date.now()
        ? `The time to send ${key} has passed. Nothing is sent, and it ends.`
        : of === 'withdrawals' && (inDoubt || state === 'sending')
          ? `A process may have sent ${key}. Nothing is sent, and it becomes in_doubt once that process no longer holds it.`
          : `Sends ${key} with its recorded key and payload. ${inDoubt || state === 'sending' ? 'It may exist: the platform then returns it, while it remembers the key. If not, it' : 'Nothing was executed yet. The platform'} ${executed[of]}.`,
    run: async (records, key) => (await records.settle(key)).record,
  },
  refresh: {
    description: 'ask for the current status of a settled payment',
    kinds: ['payments'],
    states: ['settled'],
    effect: (key, { mayCharge = false }, record) => {
      const { inDoubt, refreshUntil, error } = record as PaymentRecord;
      if (error?.code === 'second_payment')
        return `The key of ${key} returned a second payment. Nothing is sent.`;
      if (inDoubt && !mayCharge)
        return `The platform may not know ${key}. Nothing is sent without --may-charge, because the request could be its first charge.`;
      if (refreshUntil.getTime() < Date.now())
        return `The time to ask for the status of ${key} has passed. Nothing is sent.`;
      return `Unless its payload was erased, sends ${key} again with its recorded key, and stores the returned status. The customer is not charged again while the platform remembers the key${mayCharge ? '. If the platform does not know the key, it charges the customer now' : ''}.`;
    },
    run: async (records, key, { mayCharge }) =>
      (await records.refresh?.(key, { mayCharge }))?.record ?? false,
  },
  retry: {
    description: 'reopen a failed or given-up record, so that your application sends it again',
    kinds: everyKind,
    states: ['failed', 'given_up'],
    effect: (key, { of = 'payments' }, { error }) =>
      of === 'withdrawals'
        ? `Reopens ${key}. Your application or settle sends it again, and the platform ${executed[of]}.${error?.code === 'dismissed' ? ' If it exists on the platform after all, it is paid out twice.' : ''}`
        : `Reopens ${key}. Your application or settle sends it again with the same key and payload. If the platform already has it and remembers the key, it is not executed again.`,
    run: (records, key) => records.retry(key),
  },
  cancel: {
    description: 'end a given-up or not yet executed record; nothing is refunded',
    kinds: everyKind,
    states: ['recorded', 'blocked', 'given_up'],
    effect: (key) => `Marks ${key} as failed, and nothing more is sent. Nothing is refunded or undone.`,
    run: (records, key) => records.cancel(key),
  },
  confirm: {
    description: 'record that a withdrawal in doubt exists on the platform',
    kinds: ['withdrawals'],
    states: ['in_doubt'],
    effect: (key, { withdrawId }) =>
      `Marks ${key} as settled${withdrawId === undefined ? ' without its id on the platform, which cannot be added later. Add --withdraw-id if you know it' : ''}. Nothing is sent, and no money moves.`,
    run: (records, key, { withdrawId }) => {
      const id = Number(withdrawId);
      // An id above 2^53 is a string of digits, as in responses.
      const withdraw_id = (Number.isSafeInteger(id) ? id : withdrawId) as number;
      const withdrawal = withdrawId === undefined ? {} : { withdraw_id };
      return Promise.resolve(records.confirm?.(key, withdrawal) ?? false);
    },
  },
  dismiss: {
    description: 'record that a withdrawal in doubt does not exist on the platform',
    kinds: ['withdrawals'],
    states: ['in_doubt'],
    effect: (key) =>
      `Marks ${key} as failed. Nothing is sent now, and retry then pays it out. If it exists on the platform after all, retry pays it out twice.`,
    run: (records, key) => records.dismiss?.(key) ?? Promise.resolve(false),
  },
};
