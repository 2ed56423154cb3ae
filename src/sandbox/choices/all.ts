import type { Choice } from './choice.js';
import { accessChoices } from './credentials.js';
import { paymentChoices } from './payments.js';
import { requestChoices } from './requests.js';
import { submerchantChoices } from './submerchants.js';
import { walletChoices } from './wallet.js';
import { webhookChoices } from './webhooks.js';

/** Every behaviour that the API document leaves open, and what the sandbox does. */
export const choices: readonly Choice[] = Object.freeze(
  [
    ...requestChoices,
    ...paymentChoices,
    ...webhookChoices,
    ...accessChoices,
    ...submerchantChoices,
    ...walletChoices,
  ].map((choice) => Object.freeze(choice)),
);
