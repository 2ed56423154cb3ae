import { isRecord } from '../../../src/validation/record.js';
import type { PaymentDetails } from '../../control/payment-control.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import { type CardDecision, cardDecisions, cardOutcomes } from '../../scenarios/card-outcomes.js';
import { testCards, testCardTokens } from '../../scenarios/test-cards.js';
import { Expression, template } from './literal.js';
import { refuse } from './refusal.js';

/** By the last four digits, because the journal keeps only those. */
const cardsByEnd: ReadonlyMap<string, string> = new Map(
  Object.entries(testCards).map(([name, number]) => [number.slice(-4), name]),
);

export interface BodyContext {
  /** They replace ids that differ in every run. */
  readonly ids: ReadonlyMap<string, Expression>;
  readonly upsellToken: () => Expression;
  readonly findDetails: (paymentId: string) => PaymentDetails;
  /** Whether a control has changed the payment. */
  readonly isControlled: (paymentId: string) => boolean;
}

const grantType = 'client_credentials';

/** Replaces the secrets and file contents, which the journal does not keep. */
export function writeRepeatedBody(request: JournalRequest, context: BodyContext): unknown {
  const { operation, status, response, body } = request;
  const isRefused = status === 400 || status === 401;
  if (operation === 'oauth.token' && !isRefused)
    return {
      ...(isRecord(body) && body),
      client_id: new Expression('sandbox.clientOptions().clientId'),
      client_secret: new Expression('sandbox.clientOptions().clientSecret'),
    };
  if (operation === 'oauth.token' && isRecord(body) && status === 400 && body.grant_type === grantType)
    refuse(`the journal keeps no credentials in a header, which request ${request.number} can have`);
  if (operation === 'vault.tokenize' && !isRefused)
    return { number: toTestCard(isRecord(response) ? response.last4 : undefined) };
  const rejectedPaths = new Set(listRejectedPaths(response));
  const visit = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return textAt(value, path);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, `${path}.${index}`));
    if (!isRecord(value)) return value;
    if (isFile(value)) return toFile(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        visit(item, path === '' ? name : `${path}.${name}`),
      ]),
    );
  };
  const textAt = (text: string, path: string): unknown => {
    if (!text.includes('***')) return template(text, context.ids);
    const isRejected = rejectedPaths.has(path);
    if (path === 'card.number') return isRejected ? '4111111111111112' : toTestCard(text.slice(-4));
    if (isRejected) return text;
    if (path === 'card.cvv') return '123';
    if (path === 'card.upsellToken') return context.upsellToken();
    const outcome = describeOutcome(request, context);
    if (path === 'card.cardTokenId') return new Expression(`testCardTokens.${outcome}`);
    if (path === 'wallet') return { token: new Expression(`testWalletTokens.${outcome}`) };
    if (request.fault === undefined && Number(status) >= 400) return text;
    return refuse(`the journal keeps no ${path}, which request ${request.number} has`);
  };
  return visit(body, '');
}

const toTestCard = (end: unknown) => new Expression(`testCards.${cardsByEnd.get(String(end)) ?? 'approved'}`);

const listRejectedPaths = (response: unknown): string[] => {
  const error = isRecord(response) && isRecord(response.error) ? response.error : {};
  return Array.isArray(error.issues) ? error.issues.map(({ path }) => String(path)) : [];
};

/** The journal keeps no token, so the payment shows which test value had its outcome. */
function describeOutcome(
  { paymentId, status }: JournalRequest,
  { findDetails, isControlled }: BodyContext,
): CardDecision {
  const unseen = status === 502 || status === 409 ? 'unknown' : 'approved';
  if (paymentId === undefined) return unseen;
  const { payment, history } = findDetails(paymentId);
  const byCard = cardsByEnd.get(String(payment.card?.last4)) ?? '';
  if (byCard in testCardTokens) return byCard as CardDecision;
  const [begun, next] = history;
  if (begun?.status === 'refused') {
    const { code } = payment.refusalReason ?? {};
    return cardDecisions.find((decision) => cardOutcomes[decision].declineReason?.code === code) ?? 'refused';
  }
  if (begun?.status !== 'in_analysis') return unseen;
  if (next === undefined || isControlled(paymentId)) return 'inAnalysis';
  return next.status === 'paid' ? 'inAnalysisThenApproved' : 'inAnalysisThenRefused';
}

const isFile = (value: Readonly<Record<string, unknown>>) =>
  typeof value.sha256 === 'string' && typeof value.size === 'number' && 'contentType' in value;

/** Creates a file of the same size and type, with other bytes. */
const toFile = ({ size, filename, contentType }: Readonly<Record<string, unknown>>) =>
  new Expression(
    `new File([new Uint8Array(${size})], ${JSON.stringify(filename ?? 'file')}, { type: ${JSON.stringify(contentType)} })`,
  );
