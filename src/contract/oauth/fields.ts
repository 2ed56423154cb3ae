import { assumed, documented, fieldTable } from '../fields.js';
import type { TokenAnswer, TokenRequest } from './types.js';

/** The body of POST /oauth/token. */
export const tokenRequestFields = fieldTable<TokenRequest>()('oauth', 'request', {
  grant_type: assumed('RFC 6749, 4.4.2: the document says client_credentials and gives no name for it.'),
  client_id: documented,
  client_secret: documented,
});

/** The answer to POST /oauth/token. */
export const tokenAnswerFields = fieldTable<TokenAnswer>()('oauth', 'response', {
  access_token: assumed('RFC 6749, 5.1: the body of the answer is undocumented.'),
  expires_in: assumed(
    'RFC 6749, 5.1: the body of the answer is undocumented; the lifetime is documented, 3600 seconds.',
  ),
});
