import type { KnownPaymentMethod } from '../../src/contract/payments/methods.js';
import type { StoredCustomer } from '../../src/contract/payments/types.js';
import type { Issue } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';
import { type CardDecision, cardDecisions } from '../scenarios/card-outcomes.js';
import { findBehaviour, testWalletTokens, type UpsellOutlook } from '../scenarios/test-cards.js';
import { findPayerPlan, type PayerPlan } from '../scenarios/test-names.js';
import type { SubAccount, SubAccountDirectory, TaxDocument } from '../sellers/sub-accounts.js';
import { isPast, readDueDate } from './boleto.js';
import { readDigits, type StoredCard, toStoredCard } from './cards.js';
import { isByCard } from './methods.js';
import { findSplitIssues, resolveSplit, type Split, type SplitRule } from './split.js';
import type { UpsellTokens } from './upsell.js';
import type { Vault } from './vault.js';

interface Item {
  readonly title: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

/** A body of POST /v1/payments that passed the contract's schema, with all shapes in one type. */
export interface AcceptedPayment {
  readonly externalId?: string;
  readonly amount: number;
  readonly paymentMethod: KnownPaymentMethod;
  readonly customer?: {
    readonly name?: string;
    readonly email?: string;
    readonly document?: { readonly number: string; readonly type: string };
  };
  readonly items: readonly Item[];
  readonly subMerchant?: { readonly document: { readonly number: string } };
  readonly split?: readonly SplitRule[];
  readonly card?: { readonly number?: string; readonly cardTokenId?: string; readonly upsellToken?: string };
  readonly wallet?: object;
  readonly pix?: { readonly expiration?: number };
  readonly boleto?: { readonly expirationDate?: string };
}

/** Without PAN, CVV and holder. */
export interface NewPayment {
  readonly amount: number;
  readonly paymentMethod: AcceptedPayment['paymentMethod'];
  readonly externalReference: string | undefined;
  readonly customer: StoredCustomer | undefined;
  readonly items: readonly Item[];
  readonly subMerchant: Owner | undefined;
  readonly split: Split | undefined;
  readonly card: StoredCard | { readonly wallet: { readonly type: string } } | undefined;
  /** Undefined for Pix and boleto, which wait for the customer. */
  readonly decision: CardDecision | undefined;
  /** Undefined if only a control method or the clock changes the payment. */
  readonly payer: PayerPlan | undefined;
  /** Undefined if the approval issues no token. */
  readonly upsell: UpsellOutlook | undefined;
  readonly upsellToken: string | undefined;
  /** In seconds. */
  readonly pixExpiration: number | undefined;
  /** YYYY-MM-DD. */
  readonly dueDate: string | undefined;
}

type Owner = {
  readonly internalId: string;
  readonly document: TaxDocument | undefined;
};

export interface References {
  readonly upsells: UpsellTokens;
  readonly vault: Vault;
  readonly accounts: SubAccountDirectory;
  /** In cents. */
  readonly fee: number;
  /** Milliseconds between the end of a due date's day in UTC and in the sandbox's time zone. */
  readonly dayEndsAfter: number;
  readonly rejectsTokenInstallments: boolean;
}

type PaymentMeans = Pick<NewPayment, 'card' | 'customer' | 'decision' | 'upsell' | 'upsellToken'>;

const noCard: PaymentMeans = {
  card: undefined,
  customer: undefined,
  decision: undefined,
  upsell: undefined,
  upsellToken: undefined,
};

export function buildPayment(request: AcceptedPayment, references: References): NewPayment {
  const { accounts, fee } = references;
  const { amount, split } = request;
  const means = isByCard(request.paymentMethod) ? findMeans(request, references) : noCard;
  const owner = request.subMerchant && accounts.activeWith(request.subMerchant.document.number);
  const dueDate = request.boleto?.expirationDate;
  return {
    ...means,
    amount,
    paymentMethod: request.paymentMethod,
    payer: isByCard(request.paymentMethod)
      ? undefined
      : findPayerPlan(request.customer?.name, request.externalId),
    externalReference: request.externalId,
    customer: request.customer === undefined ? means.customer : stored(request.customer),
    items: request.items.map(({ title, quantity, unitPrice }) => ({ title, quantity, unitPrice })),
    subMerchant: owner && publicData(owner),
    split: split && resolveSplit({ amount, fee }, split, owner, accounts),
    pixExpiration: request.pix?.expiration,
    dueDate: dueDate === undefined ? undefined : readDueDate(dueDate),
  };
}

const publicData = ({ internalId, document }: SubAccount): Owner => ({ internalId, document });

function findMeans({ card, wallet }: AcceptedPayment, { upsells, vault }: References): PaymentMeans {
  if (wallet !== undefined) {
    return { ...noCard, card: { wallet: { type: 'apple_pay' } }, decision: decisionForWallet(wallet) };
  }
  if (card?.upsellToken !== undefined) {
    const { upsellToken } = card;
    const origin = upsells.find(upsellToken);
    const decision = origin?.isRefused ? 'refused' : 'approved';
    return { ...noCard, card: origin?.card, customer: origin?.customer, decision, upsellToken };
  }
  if (card?.cardTokenId !== undefined) {
    return { ...noCard, ...vault.find(card.cardTokenId) };
  }
  const number = card?.number ?? '';
  const behaviour = findBehaviour(readDigits(number));
  return { ...noCard, card: toStoredCard(number), decision: behaviour.decision, upsell: behaviour.upsell };
}

function stored({ name, email, document }: NonNullable<AcceptedPayment['customer']>): StoredCustomer {
  return {
    name: name ?? null,
    email: email ?? null,
    phone: null,
    documentNumber: document?.number ?? null,
    documentType: document?.type ?? null,
    address: null,
  };
}

/**
 * The body can also break the contract, so its types are not assumed.
 */
export function findPaymentIssues(
  body: unknown,
  now: number,
  { upsells, vault, accounts, fee, dayEndsAfter, rejectsTokenInstallments }: References,
): Issue[] {
  if (!isRecord(body)) return [];
  const issues = findSplitIssues(body, fee, accounts);
  for (const path of ['amount', 'paymentMethod', 'items'])
    if (body[path] === undefined)
      issues.push({ path, message: 'is required: the sandbox has no default for it' });
  if (body.paymentMethod === 'credit_card' && body.card === undefined && body.wallet === undefined) {
    issues.push({ path: 'card', message: 'is required for a credit_card payment, unless wallet is sent' });
  }
  const card = body.paymentMethod === 'credit_card' && isRecord(body.card) ? body.card : {};
  if (typeof card.cardTokenId === 'string' && vault.find(card.cardTokenId) === undefined) {
    issues.push({
      path: 'card.cardTokenId',
      message: 'is not a token of the vault: tokenize a card, or use one of testCardTokens',
    });
  }
  const problem = typeof card.upsellToken === 'string' ? upsells.objection(card.upsellToken) : undefined;
  if (problem !== undefined) issues.push({ path: 'card.upsellToken', message: problem });

  const hasToken = card.cardTokenId !== undefined || card.upsellToken !== undefined;
  if (rejectsTokenInstallments && hasToken && card.installments !== undefined) {
    issues.push({
      path: 'card.installments',
      message: 'must be absent with a token: the API docs list it for raw card data only',
    });
  }

  const expiration = isRecord(body.pix) ? body.pix.expiration : undefined;
  if (typeof expiration === 'number' && expiration < 1) {
    issues.push({ path: 'pix.expiration', message: 'must be at least 1 second' });
  }
  const expirationDate = isRecord(body.boleto) ? body.boleto.expirationDate : undefined;
  if (typeof expirationDate === 'string') {
    const dueDate = readDueDate(expirationDate);
    const message =
      dueDate === undefined ? 'must be YYYY-MM-DD or an ISO 8601 timestamp' : 'must not be in the past';
    if (dueDate === undefined || isPast(dueDate, now - dayEndsAfter))
      issues.push({ path: 'boleto.expirationDate', message });
  }
  return issues;
}

const byText = new Map<unknown, CardDecision>(
  cardDecisions.map((decision) => [testWalletTokens[decision], decision]),
);

/**
 * The first string in the object `wallet`, in the order of the fields, that is a value of `testWalletTokens`
 * decides.
 */
function decisionForWallet(wallet: object): CardDecision {
  const open: unknown[] = [wallet];
  while (open.length > 0) {
    const value = open.pop();
    const decision = byText.get(value);
    if (decision !== undefined) return decision;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value).reverse()) open.push(inner);
  }
  return 'approved';
}
