import type { AccessTokens } from './access-tokens.js';
import type { Merchants } from './merchants.js';
import { onboardingHandlers } from './onboarding-handlers.js';
import { paymentHandlers } from './payment-handlers.js';
import type { Call, Handlers } from './router.js';
import { submerchantHandlers } from './submerchant-handlers.js';
import { tokenHandler } from './token-handler.js';
import { walletHandlers } from './wallet-handlers.js';
import { webhookHandlers } from './webhook-handlers.js';

/** How each operation is answered. */
export function createHandlers(merchants: Merchants, tokens: AccessTokens): Handlers {
  return {
    ...paymentHandlers,
    ...submerchantHandlers,
    ...onboardingHandlers,
    ...webhookHandlers,
    ...walletHandlers(({ merchant }: Call) => merchant),
    'oauth.token': tokenHandler(merchants, tokens),
  };
}
