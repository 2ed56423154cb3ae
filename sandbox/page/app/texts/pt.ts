import type { Texts } from './en.js';
import { failureTexts } from './pt/failures.js';
import { frame } from './pt/frame.js';
import { paymentTexts } from './pt/payments.js';
import { sellerTexts } from './pt/sellers.js';
import { startTexts } from './pt/start.js';
import { webhookTexts } from './pt/webhooks.js';

export const pt: Texts = {
  ...frame,
  ...startTexts,
  ...paymentTexts,
  ...webhookTexts,
  ...sellerTexts,
  ...failureTexts,
};
