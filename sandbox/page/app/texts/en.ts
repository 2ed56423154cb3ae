import { failureTexts } from './en/failures.js';
import { frame } from './en/frame.js';
import { paymentTexts } from './en/payments.js';
import { sellerTexts } from './en/sellers.js';
import { startTexts } from './en/start.js';
import { webhookTexts } from './en/webhooks.js';

export const en = {
  ...frame,
  ...startTexts,
  ...paymentTexts,
  ...webhookTexts,
  ...sellerTexts,
  ...failureTexts,
};

export type Texts = typeof en;
