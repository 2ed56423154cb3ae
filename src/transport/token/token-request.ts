import { clientHeaders, createTokenRequestAuthorizer } from '../../auth/credentials.js';
import { encodeBasicCredentials } from '../../auth/oauth.js';
import { hashStoreKey } from '../../auth/shared-store.js';
import { isTokenValue, readLifetime, Token } from '../../auth/token.js';
import { shapes } from '../../contract/generated/shapes.js';
import { limits } from '../../contract/limits.js';
import { issueTokenOperation } from '../../contract/oauth/operations.js';
import type { TokenRequest } from '../../contract/oauth/types.js';
import { UnreadableResponseError } from '../../errors/network.js';
import { redactedOperation } from '../call/call-spec.js';
import { Deadline } from '../call/deadline.js';
import { CallSender } from '../call-sender.js';
import { buildHeaders } from '../prepare/prepare-call.js';
import type { HttpClient } from '../send/http-client.js';
import type { Settings } from '../settings.js';

/** API docs, Authentication, 3. Several calls can wait for one request, so it has its own deadline. */
export async function requestToken(
  httpClient: HttpClient,
  settings: Settings,
  signal: AbortSignal,
): Promise<Token> {
  const { auth, clientId, clientSecret, oauth, timeoutMs, maxRetries } = settings;
  // The options contain either both token credentials or neither.
  const { clientId: tokenId = clientId, clientSecret: tokenSecret = clientSecret } = oauth;
  const isBasic = oauth.credentials === 'basic';
  const fields: Partial<TokenRequest> = {
    ...(oauth.grantType !== false && { grant_type: 'client_credentials' }),
    ...(!isBasic && { client_id: tokenId, client_secret: tokenSecret }),
  };
  const body: Record<string, string> = {
    ...settings.names.toWire(shapes[issueTokenOperation.id].request, fields),
    ...oauth.extraBody,
  };
  const isForm = oauth.encoding === 'form';
  const headers = buildHeaders(issueTokenOperation, {
    contentType: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    others: {
      ...(auth === 'both' && clientHeaders(clientId, clientSecret)),
      ...(isBasic && { authorization: encodeBasicCredentials(tokenId, tokenSecret, oauth.basicEncoding) }),
    },
  });
  const deadline = new Deadline(timeoutMs, signal);
  // The token's age is measured from before the request, so it is never underestimated.
  const issuedAt = Date.now();
  try {
    const span = settings.telemetry?.call(redactedOperation(issueTokenOperation));
    const sender = new CallSender({
      call: {
        spec: issueTokenOperation,
        shapes: shapes[issueTokenOperation.id],
        target: issueTokenOperation.path,
        headers,
        content: isForm ? new URLSearchParams(body).toString() : JSON.stringify(body),
        query: undefined,
        body,
        idempotencyKey: undefined,
        callerKey: undefined,
        auth: 'headers',
        timeoutMs,
        signal,
        maxRetries,
        repeatable: true,
        mayHaveRunBefore: false,
        checkBeforeSending: undefined,
        issues: [],
      },
      deadline,
      httpClient,
      settings,
      authorizer: createTokenRequestAuthorizer([
        clientSecret,
        tokenSecret,
        ...Object.values(oauth.extraBody ?? {}),
      ]),
      limiter: undefined,
      span,
      waitedFor: undefined,
    });
    const response = await (span === undefined ? sender.send() : span.observe(() => sender.send()));
    const { access_token: value, expires_in } = response as { access_token?: unknown; expires_in?: unknown };
    if (!isTokenValue(value))
      throw new UnreadableResponseError(
        `${issueTokenOperation.id}: the response has no access token${value == null ? '' : ' that a header can contain'}.`,
        {},
      );
    return new Token(value, issuedAt, readLifetime(expires_in) ?? limits.oauthTokenSeconds);
  } finally {
    deadline.close();
  }
}

/**
 * The secret is part of the hash. A client id is public, so whoever knows only the id must not get a stored token.
 */
export function tokenKey({ auth, baseUrl, clientId, clientSecret, oauth }: Settings): Promise<string> {
  const fields = Object.entries(oauth.extraBody ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const credentials = [oauth.clientId ?? clientId, oauth.clientSecret ?? clientSecret];
  // The token request has the client headers too, so a token can belong to both.
  const headers = auth === 'both' ? [clientId, clientSecret] : [];
  return hashStoreKey('token', [baseUrl.href, ...credentials, fields, ...headers]);
}
