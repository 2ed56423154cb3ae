/** What `platform.webhooks.verify` runs. */
export { verifyWithNames } from './verify.js';
