import { isRecord } from '../../../src/validation/record.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import { testCards } from '../../scenarios/test-cards.js';
import { Expression, template } from './literal.js';

/** By the last four digits, because the journal keeps only those. */
const cardsByEnd: ReadonlyMap<string, string> = new Map(
  Object.entries(testCards).map(([name, number]) => [number.slice(-4), name]),
);

export interface BodyContext {
  /** They replace ids that differ in every run. */
  readonly ids: ReadonlyMap<string, Expression>;
  readonly upsellToken: () => Expression;
}

/** Replaces the secrets and file contents, which the journal does not keep. */
export function writeRepeatedBody(request: JournalRequest, context: BodyContext): unknown {
  const rejectedPaths = new Set(listRejectedPaths(request.response));
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
    // The client id of the test's sandbox differs in every run.
    if (path === 'client_id' && request.status === 200)
      return new Expression('sandbox.clientOptions().clientId');
    if (!text.includes('***')) return template(text, context.ids);
    const isRejected = rejectedPaths.has(path);
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (path === 'card.number') {
      if (isRejected) return '4111111111111112';
      return new Expression(`testCards.${cardsByEnd.get(text.slice(-4)) ?? 'approved'}`);
    }
    if (isRejected) return text;
    if (name === 'cvv') return '123';
    if (name === 'cardTokenId') return new Expression(`testCardTokens.${describeOutcome(request)}`);
    if (name === 'upsellToken') return context.upsellToken();
    if (name === 'client_secret') return new Expression('sandbox.clientOptions().clientSecret');
    if (path.startsWith('wallet')) return new Expression(`testWalletTokens.${describeOutcome(request)}`);
    return text;
  };
  return visit(request.body, '');
}

const listRejectedPaths = (response: unknown): string[] => {
  const error = isRecord(response) && isRecord(response.error) ? response.error : {};
  return Array.isArray(error.issues) ? error.issues.map(({ path }) => String(path)) : [];
};

function describeOutcome({ status, response }: JournalRequest): string {
  if (isRecord(response) && response.status === 'refused') return 'refused';
  if (isRecord(response) && response.status === 'in_analysis') return 'inAnalysis';
  return status === 502 || status === 409 ? 'unknown' : 'approved';
}

const isFile = (value: Readonly<Record<string, unknown>>) =>
  typeof value.sha256 === 'string' && typeof value.size === 'number' && 'contentType' in value;

/** Creates a file of the same size and type, with other bytes. */
const toFile = ({ size, filename, contentType }: Readonly<Record<string, unknown>>) =>
  new Expression(
    `new File([new Uint8Array(${size})], ${JSON.stringify(filename ?? 'file')}, { type: ${JSON.stringify(contentType)} })`,
  );
