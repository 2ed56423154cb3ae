import { operation } from '../operation.js';
import type { TokenRequest, TokenResponse } from './types.js';

/**
 * The client option `oauth` decides where the credentials go (body or Basic header) and the body's encoding
 * (JSON or form).
 */
export const issueToken = operation<{ body: TokenRequest; result: TokenResponse }>()({
  id: 'oauth.token',
  method: 'POST',
  path: '/oauth/token',
  public: true,
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
});

export const oauthOperations = [issueToken] as const;
