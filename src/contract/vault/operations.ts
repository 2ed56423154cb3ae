import { isRecord } from '../../validation/record.js';
import { cardValueIssues } from '../impossible-values.js';
import { operation } from '../operation.js';

export const tokenizeOperation = operation<{ body: object; result: Record<string, unknown> }>()({
  id: 'vault.tokenize',
  method: 'POST',
  path: '/v1/vault/tokenize',
  encoding: 'json',
  rules: (body) => [
    ...cardValueIssues(body, ''),
    ...(isRecord(body.card) ? cardValueIssues(body.card, 'card.') : []),
  ],
  idempotencyKey: 'none',
  // Whether a second token is harmless is undocumented.
  replay: 'never',
  rateLimit: 'vault',
  result: 'unspecified',
});

export const vaultOperations = [tokenizeOperation] as const;
