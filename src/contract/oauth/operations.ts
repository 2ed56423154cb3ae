import { operation } from '../operation.js';
import type { TokenRequest, TokenResponse } from './types.js';

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
