import {
  getStatusEvent,
  type TransactionEventName,
  transactionEvents,
} from '../../../src/contract/events.js';
import type {
  BoletoPayment,
  OpenCardPayment,
  Payment,
  PixPayment,
  UpsellPayment,
  VaultCardPayment,
  WalletPayment,
} from '../../../src/contract/payments/types.js';
import type { Numbers } from '../../random/numbers.js';
import { testCards, testCardTokens, testWalletTokens } from '../../scenarios/test-cards.js';
import { type Overrides, withOverrides } from './overrides.js';

/** A notification in a format that the platform can send. */
export interface SampleNotification extends Payment {
  /** The event. */
  event: TransactionEventName;
  /** UUID of the status change, the same in all its deliveries. The name is assumed. */
  notificationId: string;
  [field: string]: unknown;
}

/** Bodies of POST /v1/payments. Each has a unique `externalId`, and an amount of 1990 cents. */
export interface PaymentSamples {
  /** A Pix charge. */
  pix(overrides?: Overrides<PixPayment>): PixPayment;
  /** A boleto. */
  boleto(overrides?: Overrides<BoletoPayment>): BoletoPayment;
  /** A charge on raw card data: on `testCards.approved`, unless `card.number` is replaced. */
  card(overrides?: Overrides<OpenCardPayment>): OpenCardPayment;
  /** A charge on the `upsell.token` of an earlier payment. */
  upsell(token: string, overrides?: Overrides<UpsellPayment>): UpsellPayment;
  /** A charge to a vault card. Default: `testCardTokens.approved`. */
  vault(token?: string, overrides?: Overrides<VaultCardPayment>): VaultCardPayment;
  /** An Apple Pay charge, on `testWalletTokens.approved`. */
  wallet(overrides?: Overrides<WalletPayment>): WalletPayment;
  /**
   * A Pix charge that gives each receiver a tenth and the merchant the rest.
   *
   * @param receivers CPF or CNPJ of active sub-accounts, one to ten.
   */
  split(receivers: string | readonly string[], overrides?: Overrides<PixPayment>): PixPayment;
}

export function paymentSamples(numbers: Numbers): PaymentSamples {
  const order = () => ({
    externalId: `sample-order-${numbers.next()}`,
    amount: 1990,
    items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
  });
  const customer = () => ({
    name: 'Ana Souza',
    email: 'ana@example.com',
    document: { number: '12345678909', type: 'cpf' as const },
  });
  const pix = (): PixPayment => ({ ...order(), paymentMethod: 'pix', customer: customer() });
  const onCard = () => ({ ...order(), paymentMethod: 'credit_card' as const });
  return {
    pix: (overrides) => withOverrides(pix(), overrides),
    boleto: (overrides) =>
      withOverrides<BoletoPayment>({ ...order(), paymentMethod: 'boleto', customer: customer() }, overrides),
    card: (overrides) =>
      withOverrides<OpenCardPayment>(
        {
          ...onCard(),
          customer: customer(),
          card: {
            number: testCards.approved,
            cvv: '737',
            holderName: 'ANA SOUZA',
            expirationMonth: 12,
            expirationYear: 2035,
            installments: 1,
          },
        },
        overrides,
      ),
    upsell: (upsellToken, overrides) =>
      withOverrides<UpsellPayment>({ ...onCard(), card: { upsellToken } }, overrides),
    vault: (cardTokenId = testCardTokens.approved, overrides) =>
      withOverrides<VaultCardPayment>({ ...onCard(), card: { cardTokenId } }, overrides),
    wallet: (overrides) =>
      withOverrides<WalletPayment>(
        {
          ...onCard(),
          customer: customer(),
          wallet: { type: 'apple_pay', token: testWalletTokens.approved },
        },
        overrides,
      ),
    split: (receivers, overrides) => {
      const split = [receivers].flat().map((number) => ({ document: { number }, percentage: 10 }));
      return withOverrides<PixPayment>({ ...pix(), split }, overrides);
    },
  };
}

const toStatus = (event: TransactionEventName) =>
  event === 'transaction.status.updated' ? 'paid' : event.slice('transaction.'.length);

export function sampleNotification(
  numbers: Numbers,
  event: TransactionEventName,
  overrides?: Overrides<SampleNotification>,
): SampleNotification {
  if (!transactionEvents.includes(event)) {
    throw new TypeError(
      `samples.notification: the event must be one of ${transactionEvents.join(', ')}. Other events are undocumented: pass their payload to signedNotification.`,
    );
  }
  return withOverrides<SampleNotification>(
    {
      event,
      id: numbers.uuid(),
      status: toStatus(event),
      amount: 1990,
      paymentMethod: event === getStatusEvent('refused') ? 'credit_card' : 'pix',
      createdAt: '2026-01-01T00:00:00.000Z',
      externalReference: `sample-order-${numbers.next()}`,
      items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
      notificationId: numbers.uuid(),
    },
    overrides,
  );
}
