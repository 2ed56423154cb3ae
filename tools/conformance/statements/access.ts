import { type Statement, seen, statusIs } from '../statement.js';

const section = 'Authentication';

export const accessStatements: readonly Statement[] = [
  {
    section,
    statement: 'Both headers are required on every call',
    expected: '401 without them',
    need: 'read',
    check: async (api) => statusIs(await api.send('GET /v1/webhooks', { anonymous: true }), 401),
  },
  {
    section,
    statement: 'A wrong client-secret is refused',
    expected: '401',
    need: 'read',
    check: async (api) =>
      statusIs(await api.send('GET /v1/webhooks', { headers: { 'client-secret': 'not-the-secret' } }), 401),
  },
  {
    section,
    statement: 'client-id without client-secret is refused',
    expected: '401',
    need: 'read',
    check: async (api) => {
      const headers = { 'client-id': api.target.clientId };
      return statusIs(await api.send('GET /v1/webhooks', { anonymous: true, headers }), 401);
    },
  },
  {
    section,
    statement: 'POST /oauth/token takes the credentials in the body',
    expected: '2xx, grant_type and access_token as in RFC 6749',
    need: 'read',
    isAssumed: true,
    check: async (api) => {
      const { clientId: client_id, clientSecret: client_secret } = api.target;
      const body = { grant_type: 'client_credentials', client_id, client_secret };
      const response = await api.send('POST /oauth/token', { anonymous: true, body });
      return seen(
        typeof response.body?.access_token === 'string',
        `${response.status} ${names(response.body)}`,
      );
    },
  },
  {
    section,
    statement: 'A token is valid for 3600 seconds',
    expected: 'expires_in 3600',
    need: 'read',
    isAssumed: true,
    check: async (api) => {
      const { body } = await token(api);
      return seen(body?.expires_in === 3_600, `expires_in ${JSON.stringify(body?.expires_in)}`);
    },
  },
  {
    section,
    statement: 'The token is sent as Authorization: Bearer',
    expected: '200 on GET /v1/webhooks',
    need: 'read',
    isAssumed: true,
    check: async (api) => {
      const { body } = await token(api);
      const headers = { authorization: `Bearer ${body?.access_token}` };
      return statusIs(await api.send('GET /v1/webhooks', { anonymous: true, headers }), 200);
    },
  },
  {
    section,
    statement: 'POST /oauth/token refuses wrong credentials',
    expected: '400 or 401',
    need: 'read',
    check: async (api) => {
      const body = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'nothing' };
      return statusIs(await api.send('POST /oauth/token', { anonymous: true, body }), 400, 401);
    },
  },
];

/** Requests a token, with the credentials in an Authorization: Basic header. */
function token(api: Parameters<Statement['check']>[0]) {
  const { clientId, clientSecret } = api.target;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return api.send('POST /oauth/token', {
    anonymous: true,
    headers: { authorization: `Basic ${basic}` },
    body: { grant_type: 'client_credentials' },
  });
}

/** Lists the names of fields, without their values. */
const names = (body: unknown) =>
  typeof body === 'object' && body !== null ? Object.keys(body).join(', ') : '';
