import { operation } from '../operation.js';
import type { TokenRequest, TokenResponse } from './types.js';

/**
 * The `oauth` client option selects the place of the credentials (body or Basic header) and the encoding of
 * the body (JSON or form).
 */
export const issueTokenOperation = operation<{ body: TokenRequest; result: TokenResponse }>()({
  id: 'oauth.token',
  method: 'POST',
  path: '/oauth/token',
  public: true,
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
});

export const oauthOperations = [issueTokenOperation] as const;
