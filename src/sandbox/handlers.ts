import type { Call, Handlers } from './http/handler.js';
import type { AccessTokens } from './merchants/access-tokens.js';
import type { Merchants } from './merchants/merchants.js';
import { tokenHandler } from './merchants/token-handler.js';
import { paymentHandlers } from './payments/payment-handlers.js';
import { onboardingHandlers } from './sellers/onboarding-handlers.js';
import { submerchantHandlers } from './sellers/submerchant-handlers.js';
import { walletHandlers } from './wallet/wallet-handlers.js';
import { webhookHandlers } from './webhooks/webhook-handlers.js';

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
