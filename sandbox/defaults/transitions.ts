// The types, the options, the controls, the control API, the page and the command line are derived from these
// lists.

interface TransitionTable {
  readonly [control: string]: {
    readonly from: readonly string[];
    readonly to: string;
    /** The description in the control API and in the command's help. */
    readonly summary?: string;
  };
}

type StatusOf<Table extends TransitionTable> = Table[keyof Table]['from'][number] | Table[keyof Table]['to'];

/** First the sources of the transitions, then their targets. */
function listStatuses<const Table extends TransitionTable>(table: Table): readonly StatusOf<Table>[] {
  const transitions = Object.values(table);
  return [...new Set([...transitions.flatMap(({ from }) => from), ...transitions.map(({ to }) => to)])];
}

/** The transitions of payments. The `payments.transitions` option changes `from`. */
export const paymentTransitions = {
  pay: {
    from: ['waiting_payment', 'in_analysis'],
    to: 'paid',
    summary: 'Pay as the customer, or approve a payment under analysis',
  },
  refuse: {
    from: ['waiting_payment', 'in_analysis'],
    to: 'refused',
    summary: 'Decline a payment as the issuer, or reject a payment under analysis',
  },
  refund: { from: ['paid'], to: 'refunded', summary: 'Refund a payment as the merchant' },
  chargeback: {
    from: ['paid'],
    to: 'chargedback',
    summary: 'Charge back a payment as the issuer',
  },
  cancel: {
    from: ['waiting_payment', 'in_analysis'],
    to: 'cancelled',
    summary: 'Cancel a payment before the customer pays',
  },
  expire: { from: ['waiting_payment'], to: 'expired', summary: 'Make a pending payment expire now' },
} as const satisfies TransitionTable;

/** A control method that moves a payment to another status. */
export type Transition = keyof typeof paymentTransitions;

/** Every status a payment can have in the sandbox. */
export type SandboxPaymentStatus = StatusOf<typeof paymentTransitions>;

export const paymentTransitionNames = Object.keys(paymentTransitions) as readonly Transition[];

export const mapTransitions = <Value>(make: (name: Transition) => Value): Record<Transition, Value> =>
  Object.fromEntries(paymentTransitionNames.map((name) => [name, make(name)])) as Record<Transition, Value>;

export const paymentStatuses = listStatuses(paymentTransitions);

/** A boleto can be paid after its due date, because banks accept late payments for a few days. */
export const latePayment = { paymentMethod: 'boleto', from: 'expired' } as const;

/** The KYC decisions on a registration. */
export const onboardingDecisions = {
  approve: { from: ['submitted', 'in_review'], to: 'approved' },
  reject: { from: ['submitted', 'in_review'], to: 'rejected' },
} as const satisfies TransitionTable;

export type OnboardingState = StatusOf<typeof onboardingDecisions>;

/** The transitions that end a withdrawal. */
export const withdrawalTransitions = {
  complete: { from: ['pending'], to: 'completed', summary: 'Pay out a withdrawal' },
  fail: { from: ['pending'], to: 'failed', summary: 'Make a withdrawal fail' },
} as const satisfies TransitionTable;

export type WithdrawalStatus = StatusOf<typeof withdrawalTransitions>;

/** The statuses that `control.submerchants.setStatus` accepts. */
export const subAccountStatuses = ['active', 'inactive'] as const;

export type SubAccountStatus = (typeof subAccountStatuses)[number];

/** The statuses that `control.webhooks.setStatus` accepts. */
export const endpointStatuses = ['active', 'failed', 'inactive', 'suspended'] as const;

export type EndpointStatus = (typeof endpointStatuses)[number];

/** The states of a delivery: `pending` until an attempt ends. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

export type DeliveryState = (typeof deliveryStates)[number];
