import { accessChoices } from './access-choices.js';
import { type Choice, paymentChoices } from './choices.js';
import { submerchantChoices } from './submerchant-choices.js';
import { walletChoices } from './wallet-choices.js';

/** Everything the API document leaves open and the sandbox had to choose, in one place. */
export const choices: readonly Choice[] = Object.freeze(
  [...paymentChoices, ...accessChoices, ...submerchantChoices, ...walletChoices].map((choice) =>
    Object.freeze(choice),
  ),
);
