import { z } from 'zod';
import { schemasFor } from '../schemas-for.js';
import type { issueToken } from './operations.js';

export const oauthSchemas = {
  'oauth.token': schemasFor<typeof issueToken>()(() => ({
    request: z
      .looseObject({
        grant_type: z.literal('client_credentials'),
        client_id: z.string().optional(),
        client_secret: z.string().optional(),
      })
      .meta({ title: 'TokenRequest' }),
    response: z
      .looseObject({ access_token: z.string(), expires_in: z.int().optional() })
      .meta({ title: 'Token' }),
  })),
};
