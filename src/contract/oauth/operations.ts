import { operation } from '../operation.js';
import type { TokenRequest, TokenResponse } from './types.js';

/** The client option `oauth` decides whether the credentials are sent in the body or as Basic, and the body as JSON or as a form. */
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
