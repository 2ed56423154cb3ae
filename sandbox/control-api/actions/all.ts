import type { AnyAction } from '../action.js';
import { faultActions } from './faults.js';
import { paymentActions } from './payments.js';
import { platformActions } from './platform.js';
import { sellerActions } from './sellers.js';
import { walletActions } from './wallet.js';
import { webhookActions } from './webhooks.js';

export const actions: readonly AnyAction[] = [
  ...platformActions,
  ...paymentActions,
  ...sellerActions,
  ...walletActions,
  ...webhookActions,
  ...faultActions,
];

/** By the first part of the actions' ids. */
export const groups: Readonly<Record<string, string>> = {
  info: 'About the sandbox',
  sandbox: 'The whole sandbox',
  journal: 'Received requests',
  timeline: 'Timeline',
  test: 'Copy the timeline as a test',
  charges: 'Charges',
  defaults: 'Sandbox defaults',
  scenarios: 'Test values',
  clock: 'Clock',
  faults: 'Request faults',
  deliveryFaults: 'Delivery faults',
  features: "Merchants' products",
  tokens: 'Access tokens',
  credentials: 'Client secrets',
  merchants: 'Merchants',
  payments: 'Payments',
  onboarding: 'KYC decisions',
  submerchants: 'Sub-accounts',
  withdrawals: 'Withdrawals',
  domains: 'Wallet domains',
  certificates: 'Wallet certificates',
  endpoints: 'Webhook endpoints',
  deliveries: 'Webhook deliveries',
};
