import type { PaymentPlatform } from '../../src/client.js';
import type { WebhookEvent } from '../../src/contract/events.js';
import type { OnboardingPf, OnboardingPj } from '../../src/contract/onboarding/types.js';
import type { CreatePayment } from '../../src/contract/payments/types.js';
import type { DurablePayments } from '../../src/durable/durable-payments.js';
import type { DurablePayment } from '../../src/durable/payload.js';
import type { Receiver } from '../../src/webhooks/types.js';

/** The values that the samples use without declaring them. */
export interface SampleValues {
  readonly platform: PaymentPlatform;
  readonly durable: DurablePayments<object>;
  readonly receiver: Receiver;
  readonly order: CreatePayment & DurablePayment;
  readonly paymentId: string;
  readonly seller: Omit<OnboardingPf, 'cnhCompleta' | 'documentoFrente' | 'documentoVerso' | 'selfie'>;
  readonly company: OnboardingPj;
  readonly licence: Uint8Array;
  readonly selfie: Uint8Array;
  readonly registrationId: string;
  readonly internalId: string;
  readonly withdrawId: number;
  readonly certificateId: string;
  readonly certificate: Uint8Array;
  readonly endpointId: string;
  readonly request: Request;
  readonly event: WebhookEvent;
  readonly secret: string;
  readonly client: object;
  readonly signal: AbortSignal;
}
