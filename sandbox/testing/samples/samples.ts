import type { RegisterDomain } from '../../../src/contract/domains/types.js';
import type { TransactionEventName } from '../../../src/contract/events.js';
import type { CreateWebhook, UpdateWebhook } from '../../../src/contract/webhooks/types.js';
import { Numbers } from '../../random/numbers.js';
import { testCards } from '../../scenarios/test-cards.js';
import { type Overrides, withOverrides } from './overrides.js';
import {
  type PaymentSamples,
  paymentSamples,
  type SampleNotification,
  sampleNotification,
} from './payments.js';
import {
  type OnboardingSamples,
  onboardingSamples,
  type SubmerchantSamples,
  submerchantSamples,
} from './sellers.js';

/** The sandbox's body for POST /v1/vault/tokenize, which the API docs do not show. */
export interface CardSample {
  /** The PAN. */
  number: string;
  /** The holder's name. */
  holderName: string;
  /** The card's expiration month. */
  expirationMonth: number;
  /** The card's expiration year. */
  expirationYear: number;
}

/**
 * Valid requests for the client's methods. Most requests differ from earlier requests, because
 * external ids, CPFs, CNPJs, domains and keys contain a counter. Overrides replace fields, including nested
 * fields.
 */
export interface Samples {
  /** Bodies of `payments.create`. */
  readonly payments: PaymentSamples;
  /** Forms of `onboarding`. */
  readonly onboarding: OnboardingSamples;
  /** Bodies and forms of `submerchants` and `submerchants.withdrawals`. */
  readonly submerchants: SubmerchantSamples;
  /** Bodies of `domains`. */
  readonly domains: {
    /** The body that registers a domain such as shop-7.example. */
    register(overrides?: Overrides<RegisterDomain>): RegisterDomain;
  };
  /** Bodies of `certificates`. */
  readonly certificates: {
    /** A certificate that an authority issued. In the sandbox: `control.certificates.issue`. */
    activate<Certificate extends string | Uint8Array>(certificate: Certificate): { certificate: Certificate };
  };
  /** Bodies of `webhooks`. */
  readonly webhooks: {
    /** An endpoint on shop.example for two events, with a secret. */
    register(overrides?: Overrides<CreateWebhook>): CreateWebhook;
    /** Another URL and list of events; the secret stays. */
    update(overrides?: Overrides<UpdateWebhook>): UpdateWebhook;
  };
  /** Bodies of `vault`. */
  readonly vault: {
    /** The card `testCards.approved`. */
    tokenize(overrides?: Overrides<CardSample>): CardSample;
  };
  /**
   * The payload of a notification about a charge of 1990 cents: a card charge for `transaction.refused`,
   * otherwise a Pix charge.
   *
   * @throws TypeError for an event that the API docs do not show.
   */
  notification(event: TransactionEventName, overrides?: Overrides<SampleNotification>): SampleNotification;
  /** A UUID v4 as an idempotency key. */
  key(): string;
}

/** Creates samples that count from the beginning, so that a run does not depend on earlier runs. */
export function createSamples(): Samples {
  const numbers = new Numbers();
  return {
    payments: paymentSamples(numbers),
    onboarding: onboardingSamples(numbers),
    submerchants: submerchantSamples(numbers),
    domains: {
      register: (overrides) =>
        withOverrides<RegisterDomain>({ domainName: `shop-${numbers.next()}.example` }, overrides),
    },
    certificates: { activate: (certificate) => ({ certificate }) },
    webhooks: {
      register: (overrides) =>
        withOverrides<CreateWebhook>(
          {
            webhook_url: `https://shop.example/webhooks/${numbers.next()}`,
            events: ['transaction.paid', 'transaction.refused'],
            hmac_secret: 'sample-secret-not-real',
          },
          overrides,
        ),
      update: (overrides) =>
        withOverrides<UpdateWebhook>(
          {
            webhook_url: `https://shop.example/webhooks/${numbers.next()}`,
            events: ['transaction.paid', 'transaction.refunded'],
          },
          overrides,
        ),
    },
    vault: {
      tokenize: (overrides) =>
        withOverrides<CardSample>(
          {
            number: testCards.approved,
            holderName: 'ANA SOUZA',
            expirationMonth: 12,
            expirationYear: 2035,
          },
          overrides,
        ),
    },
    notification: (event, overrides) => sampleNotification(numbers, event, overrides),
    key: () => numbers.uuid(),
  };
}

/** Samples that share one counter. */
export const samples: Samples = /* @__PURE__ */ createSamples();
