import type { AccessTokens } from '../merchants/access-tokens.js';
import type { Merchants } from '../merchants/merchants.js';
import type { Call, Handlers } from './handler.js';
import { onboardingHandlers } from './handlers/onboarding-handlers.js';
import { paymentHandlers } from './handlers/payment-handlers.js';
import { submerchantHandlers } from './handlers/submerchant-handlers.js';
import { tokenHandler } from './handlers/token-handler.js';
import { walletHandlers } from './handlers/wallet-handlers.js';
import { webhookHandlers } from './handlers/webhook-handlers.js';

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
