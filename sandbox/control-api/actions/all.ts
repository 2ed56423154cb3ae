import type { AnyAction } from '../action.js';
import { faultActions } from './faults.js';
import { paymentActions } from './payments.js';
import { platformActions } from './platform.js';
import { sellerActions } from './sellers.js';
import { walletActions } from './wallet.js';
import { webhookActions } from './webhooks.js';

/** Every action of the control API. */
export const actions: readonly AnyAction[] = [
  ...platformActions,
  ...paymentActions,
  ...sellerActions,
  ...walletActions,
  ...webhookActions,
  ...faultActions,
];

/** Descriptions of the action groups, by the first part of their ids. */
export const groups: Readonly<Record<string, string>> = {
  info: 'The sandbox',
  sandbox: 'All of it',
  journal: 'The requests it received',
  timeline: 'Timeline',
  test: 'Timeline as a test',
  charges: 'The ledger of charges',
  defaults: 'Sandbox defaults',
  scenarios: 'Test values',
  clock: 'Its time',
  faults: 'Faults on the way to the platform',
  deliveryFaults: 'Faults on the way to the receivers of webhooks',
  features: 'The products of merchants',
  tokens: 'Access tokens',
  credentials: 'Client secrets',
  merchants: 'More merchants',
  payments: 'Payers, issuers and unknown outcomes',
  onboarding: 'The decisions of the KYC',
  submerchants: 'Sub-accounts',
  withdrawals: 'Payouts',
  domains: 'Domains of wallets',
  certificates: 'Certificates of wallets',
  endpoints: 'Webhook endpoints',
  deliveries: 'Webhook deliveries',
};
