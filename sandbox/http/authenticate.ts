import type { AccessTokens } from '../merchants/access-tokens.js';
import type { CredentialOwner, Merchants } from '../merchants/merchants.js';

export type Authentication = CredentialOwner | { readonly rejection: string };

/** If both are sent, both must be valid and belong to one credential. */
export function authenticate(headers: Headers, merchants: Merchants, tokens: AccessTokens): Authentication {
  const token = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const hasHeaders = headers.has('client-id') || headers.has('client-secret');
  const byToken = token === undefined ? undefined : ownerOfToken(token, merchants, tokens);
  if (token !== undefined && byToken === undefined) {
    return { rejection: 'The access token is unknown, expired or revoked.' };
  }
  if (byToken !== undefined && !hasHeaders) return byToken;
  const byHeaders = merchants.authenticated(
    headers.get('client-id') ?? '',
    headers.get('client-secret') ?? '',
  );
  if (byHeaders === undefined) {
    return { rejection: 'The headers client-id and client-secret are missing or wrong.' };
  }
  if (byToken !== undefined && byToken.clientId !== byHeaders.clientId) {
    return { rejection: 'The access token and the headers belong to different credentials.' };
  }
  return byHeaders;
}

function ownerOfToken(
  token: string,
  merchants: Merchants,
  tokens: AccessTokens,
): CredentialOwner | undefined {
  const clientId = tokens.findClientId(token);
  const merchant = clientId === undefined ? undefined : merchants.find(clientId);
  return clientId === undefined || merchant === undefined ? undefined : { merchant, clientId };
}
