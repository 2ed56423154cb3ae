import { operation } from '../operation.js';
import type { TokenRequest, TokenResponse } from './types.js';

/**
 * The client option `oauth` decides whether the credentials are sent in the body or in a Basic header, and
 * whether the body is JSON or a form.
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
