import { pix } from '../support/payments.js';
import type { OperationRecord } from './operation-record.js';

export const oauthRecords = {
  'oauth.token': {
    section: 'Authentication',
    wire: {
      call: (platform) => platform.payments.create(pix, { auth: 'oauth' }),
      method: 'POST',
      path: '/oauth/token',
      json: {
        grant_type: 'client_credentials',
        client_id: 'merchant-1',
        client_secret: 'sk_live_canary_4f9a1c',
      },
      key: 'none',
      response: { access_token: 'token', expires_in: 3600 },
    },
  },
} satisfies Record<string, Pick<OperationRecord, 'section' | 'statements' | 'wire'>>;
