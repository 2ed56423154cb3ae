import type { AccessTokens } from './access-tokens.js';
import type { Merchant } from './merchant.js';
import type { Merchants } from './merchants.js';

/** The merchant of a request, or why its credentials are refused. */
export type Access = { readonly merchant: Merchant } | { readonly refused: string };

/** Checks the two headers or the bearer token. If both are sent, both must be valid and of one credential. */
export function accessOf(headers: Headers, merchants: Merchants, tokens: AccessTokens): Access {
  const token = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const hasHeaders = headers.has('client-id') || headers.has('client-secret');
  const byToken = token === undefined ? undefined : merchants.find(tokens.clientIdOf(token) ?? '');
  if (token !== undefined && byToken === undefined) {
    return { refused: 'The access token is unknown, expired or revoked.' };
  }
  if (byToken !== undefined && !hasHeaders) return { merchant: byToken };
  const byHeaders = authenticated(merchants, headers.get('client-id'), headers.get('client-secret'));
  if (byHeaders === undefined) {
    return { refused: 'The headers client-id and client-secret are missing or wrong.' };
  }
  if (byToken !== undefined && byToken !== byHeaders) {
    return { refused: 'The access token and the headers belong to different credentials.' };
  }
  return { merchant: byHeaders };
}

/** The merchant of a credential; undefined if the id or the secret is wrong. */
export function authenticated(
  merchants: Merchants,
  clientId: string | null | undefined,
  clientSecret: string | null | undefined,
): Merchant | undefined {
  const merchant = merchants.find(clientId ?? '');
  return merchant?.hasSecret(clientSecret ?? '') === true ? merchant : undefined;
}
