import type { AccessTokens } from './access-tokens.js';
import type { Merchant } from './merchant.js';
import type { Merchants } from './merchants.js';

/** Whose request it is, or why nobody's. */
export type Access = { readonly merchant: Merchant } | { readonly refused: string };

/** Reads the two headers or the bearer token. Where both are sent, both must be right and belong together. */
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
    return { refused: 'The access token belongs to another credential than the headers.' };
  }
  return { merchant: byHeaders };
}

/** The merchant of a credential; undefined when the secret is not its own. */
export function authenticated(
  merchants: Merchants,
  clientId: string | null | undefined,
  clientSecret: string | null | undefined,
): Merchant | undefined {
  const merchant = merchants.find(clientId ?? '');
  return merchant?.hasSecret(clientSecret ?? '') === true ? merchant : undefined;
}
