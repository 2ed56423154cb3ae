import { type Choice, paymentChoices } from './choices.js';
import { accessChoices } from './merchants/access-choices.js';
import { submerchantChoices } from './sellers/submerchant-choices.js';
import { walletChoices } from './wallet/wallet-choices.js';

/** Everything the API document leaves open and the sandbox had to choose, in one place. */
export const choices: readonly Choice[] = Object.freeze(
  [...paymentChoices, ...accessChoices, ...submerchantChoices, ...walletChoices].map((choice) =>
    Object.freeze(choice),
  ),
);
