import { titled } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import * as z from '../zod.js';
import type { issueToken } from './operations.js';

export const oauthSchemas = {
  'oauth.token': schemasFor<typeof issueToken>()(() => ({
    request: titled(
      'TokenRequest',
      z.looseObject({
        grant_type: z.literal('client_credentials'),
        client_id: z.optional(z.string()),
        client_secret: z.optional(z.string()),
      }),
    ),
    response: titled('Token', z.looseObject({ access_token: z.string(), expires_in: z.optional(z.int()) })),
  })),
};
