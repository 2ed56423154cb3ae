import { z } from 'zod';
import { operation } from './operation.js';

/** How the credentials travel is the client's choice: in the body or as Basic, as JSON or as a form. */
export const issueToken = operation({
  id: 'oauth.token',
  method: 'POST',
  path: '/oauth/token',
  section: 'Authentication',
  encoding: 'json',
  public: true,
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  names: 'oauth',
  request: z.looseObject({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  }),
  response: z.looseObject({ access_token: z.string(), expires_in: z.int().optional() }),
});
