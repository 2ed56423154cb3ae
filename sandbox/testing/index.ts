export type { CheckName, DoctorCheck } from '../doctor/check.js';
export type { Diagnosis } from '../doctor/diagnose.js';
export type { DriftEntry } from '../doctor/diagnosis-context.js';
export type { DiagnoseOptions } from '../doctor/options.js';
export { everyDeliveryDelivered, everyFaultFired, noDuplicateCharges } from './assertions.js';
export { diagnose } from './diagnose.js';
export { type MatcherResult, type PaymentPlatformMatchers, paymentPlatformMatchers } from './matchers.js';
export { type MswHttp, type SandboxHandlersOptions, sandboxHandlers } from './msw-handlers.js';
export { paymentStoreChecks, type StoreCheck } from './payment-store-checks.js';
export type { Overrides } from './samples/overrides.js';
export type { PaymentSamples, SampleNotification } from './samples/payments.js';
export { type CardSample, createSamples, type Samples, samples } from './samples/samples.js';
export type { OnboardingSamples, SubmerchantSamples, WithdrawalSample } from './samples/sellers.js';
export {
  type NotificationOptions,
  type SignedNotification,
  signedNotification,
} from './signed-notification.js';
export { type TestHooks, type UseSandboxOptions, useSandbox } from './use-sandbox.js';
