import { isRecord } from '../../../src/validation/record.js';
import type { AccessTokens } from '../../merchants/access-tokens.js';
import type { Merchants } from '../../merchants/merchants.js';
import { fromBase64 } from '../../runtime/bytes.js';
import type { PublicHandler } from '../handler.js';
import { createProblem, json } from '../responses.js';

const decodeUtf8 = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

interface CredentialInput {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

/** API docs, Authentication, 3; RFC 6749, 2.3.1 and 4.4. */
export function tokenHandler(merchants: Merchants, tokens: AccessTokens): PublicHandler {
  return {
    run: ({ headers, body }) => {
      const inBody = credentialsInBody(body);
      const inHeader = credentialsInHeader(headers.get('authorization'));
      if (inBody !== undefined && inHeader !== undefined) {
        return createProblem(
          400,
          'invalid_request',
          'The credentials go in the body or in the header, not in both.',
        );
      }
      const claims = inBody === undefined ? (inHeader ?? []) : [inBody];
      const owned = claims
        .map(({ clientId, clientSecret }) => merchants.authenticated(clientId ?? '', clientSecret ?? ''))
        .find((found) => found !== undefined);
      if (owned === undefined) {
        return createProblem(401, 'invalid_client', 'client_id and client_secret are missing or wrong.');
      }
      return json(200, {
        access_token: tokens.issue(owned.clientId),
        token_type: 'Bearer',
        expires_in: tokens.lifetime,
      });
    },
  };
}

function credentialsInBody(body: unknown): CredentialInput | undefined {
  if (!isRecord(body)) return undefined;
  const { client_id, client_secret } = body;
  if (client_id === undefined && client_secret === undefined) return undefined;
  return {
    clientId: typeof client_id === 'string' ? client_id : undefined,
    clientSecret: typeof client_secret === 'string' ? client_secret : undefined,
  };
}

/**
 * Returns both readings: form-encoded, as RFC 6749 (2.3.1) requires, and unencoded, as many clients send
 * them.
 */
function credentialsInHeader(authorization: string | null): CredentialInput[] | undefined {
  const [, encoded] = /^Basic +(\S*)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(decodeUtf8(fromBase64(encoded))) ?? [];
  return [
    { clientId: formDecoded(id), clientSecret: formDecoded(secret) },
    { clientId: id, clientSecret: secret },
  ];
}

function formDecoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
