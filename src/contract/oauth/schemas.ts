import * as z from 'zod/mini';
import { assumed, secret, titled } from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import type { issueTokenOperation } from './operations.js';

export const oauthSchemas = {
  'oauth.token': defineSchemas<typeof issueTokenOperation>()(() => ({
    summary: 'Issue an access token',
    section: 'Authentication',
    through: "auth: 'oauth'",
    request: titled(
      'TokenRequest',
      z.looseObject({
        grant_type: assumed(
          'oauth.grant_type',
          'The name comes from RFC 6749, section 4.4.2. The API docs contain only the value client_credentials.',
          z.literal('client_credentials'),
        ),
        client_id: z.optional(z.string()),
        client_secret: secret(z.optional(z.string())),
      }),
    ),
    response: titled(
      'Token',
      z.looseObject({
        access_token: assumed(
          'oauth.access_token',
          'The name comes from RFC 6749, section 5.1. The API docs do not describe the response body.',
          secret(z.string()),
        ),
        expires_in: assumed(
          'oauth.expires_in',
          'The name comes from RFC 6749, section 5.1. The API docs state only the lifetime, 3600 seconds.',
          z.optional(z.int()),
        ),
      }),
    ),
  })),
};
