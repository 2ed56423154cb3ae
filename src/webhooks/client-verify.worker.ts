/** Takes the place of `client-verify.ts` where `verify` cannot run: nothing of it is in the client there. */
export { isSignedBy as verifyWithNames } from './crypto.worker.js';
