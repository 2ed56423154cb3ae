import { operations } from '../../../src/contract/index.js';
import { type Api, newKey, nothing } from '../api.js';
import {
  about,
  assumed,
  checkFields,
  isOneOf,
  isText,
  isTime,
  isUuid,
  type Statement,
  seen,
  statusIs,
} from '../statement.js';

const authentication = about('Authentication');
const wallets = about('Wallet domains and certificates');

const get = 'GET /v1/webhooks';
const register = 'POST /v1/payment-method-domains';

/** Requests a token, with the credentials in an Authorization: Basic header. */
function token(api: Api) {
  const { clientId, clientSecret } = api.target;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return api.send('POST /oauth/token', {
    anonymous: true,
    headers: { authorization: `Basic ${basic}` },
    body: { grant_type: 'client_credentials' },
  });
}

const accessStatements: readonly Statement[] = [
  authentication.reads('Both headers are required on every call', '401 without them', async (api) =>
    statusIs(await api.send(get, { anonymous: true }), 401),
  ),
  authentication.reads('A wrong client-secret is refused', '401', async (api) =>
    statusIs(await api.send(get, { headers: { 'client-secret': 'not-the-secret' } }), 401),
  ),
  authentication.reads('client-id without client-secret is refused', '401', async (api) => {
    const headers = { 'client-id': api.target.clientId };
    return statusIs(await api.send(get, { anonymous: true, headers }), 401);
  }),
  assumed(
    authentication.reads(
      'POST /oauth/token takes the credentials in the body',
      '2xx, grant_type and access_token as in RFC 6749',
      async (api) => {
        const { clientId: client_id, clientSecret: client_secret } = api.target;
        const credentials = { grant_type: 'client_credentials', client_id, client_secret };
        const sent = await api.send('POST /oauth/token', { anonymous: true, body: credentials });
        // Lists the fields without their values.
        return seen(isText(sent.body?.access_token), `${sent.status} ${Object.keys(Object(sent.body))}`);
      },
    ),
  ),
  assumed(
    authentication.reads('A token is valid for 3600 seconds', 'expires_in 3600', async (api) => {
      const { body } = await token(api);
      return seen(body?.expires_in === 3_600, `expires_in ${JSON.stringify(body?.expires_in)}`);
    }),
  ),
  assumed(
    authentication.reads('The token is sent as Authorization: Bearer', `200 on ${get}`, async (api) => {
      const { body } = await token(api);
      const headers = { authorization: `Bearer ${body?.access_token}` };
      return statusIs(await api.send(get, { anonymous: true, headers }), 200);
    }),
  ),
  authentication.reads('POST /oauth/token refuses wrong credentials', '400 or 401', async (api) => {
    const body = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'nothing' };
    return statusIs(await api.send('POST /oauth/token', { anonymous: true, body }), 400, 401);
  }),
  authentication.reads('Every operation requires the headers', '401 without them', async (api) => {
    const requests = operations
      .filter(({ id }) => id !== 'oauth.token')
      .map(
        ({ method, path }) => `${method} ${path.replace('{withdrawId}', '1').replace(/\{\w+\}/, nothing)}`,
      );
    const others: string[] = [];
    for (const request of requests) {
      const isRead = request.startsWith('GET');
      const { status } = await api.send(request, { anonymous: true, ...(!isRead && { body: {} }) });
      if (status !== 401) others.push(`${request}: ${status}`);
    }
    return seen(others.length === 0, others.join(', ') || `${requests.length} times 401`);
  }),
];

type Tests = Readonly<Record<string, (value: unknown) => boolean>>;

/** Checks that every item's fields pass their tests. */
const items = (statement: string, request: string, tests: Tests): Statement =>
  wallets.reads(statement, Object.keys(tests).join(', '), async (api) => {
    const { status, body } = await api.send(request);
    if (status !== 200 || !Array.isArray(body?.data)) return seen(false, status);
    const wrong = Object.entries(tests).filter(([name, passes]) =>
      body.data.some((item: Record<string, unknown>) => !passes(item?.[name])),
    );
    return seen(wrong.length === 0, wrong.map(([name]) => name).join(', ') || `${body.data.length} items`);
  });

const list = (request: string): Statement =>
  wallets.reads(`${request} returns an object with a data array`, 'data', async (api) => {
    const { status, body } = await api.send(request);
    return seen(status === 200 && Array.isArray(body?.data), status);
  });

const absentOr = (passes: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || value === null || passes(value);

const certificate: Tests = {
  id: isUuid,
  type: isOneOf('apple_pay_payment_processing'),
  status: isOneOf('issued', 'active', 'revoked'),
  signingRequestPem: absentOr((value) => /BEGIN CERTIFICATE REQUEST/.test(String(value))),
  publicKeyFingerprint: absentOr((value) => /^[A-Za-z0-9+/]{43}=$/.test(String(value))),
  notBefore: absentOr(isTime),
  notAfter: absentOr(isTime),
  activatedAt: absentOr(isTime),
  revokedAt: absentOr(isTime),
  createdAt: isTime,
};

/** Domain names that are not hostnames. */
const noHostnames = [
  undefined,
  5,
  '',
  'conformance.example:8080',
  'conformance.example/path',
  'a@conformance.example',
];

const walletStatements: readonly Statement[] = [
  items('Each domain of the list has its fields', 'GET /v1/payment-method-domains', {
    id: isUuid,
    domainName: isText,
    status: isOneOf('pending', 'verified', 'failed'),
    verifiedAt: absentOr(isTime),
    lastVerificationError: absentOr((value) => typeof value === 'string'),
    createdAt: isTime,
  }),
  items('Each certificate of the list has its fields', 'GET /v1/certificates', certificate),
  assumed(
    items(
      'The list of certificates is filtered by type',
      'GET /v1/certificates?type=apple_pay_payment_processing',
      { type: isOneOf('apple_pay_payment_processing') },
    ),
  ),
  wallets.refuses('write', 'domainName is a hostname: required, without port, path or user', () =>
    noHostnames.map((domainName) => [String(domainName), register, { body: { domainName } }]),
  ),
  list('GET /v1/payment-method-domains'),
  list('GET /v1/certificates'),
  wallets.refuses('read', 'domainName has no scheme', () => [
    ['a scheme', register, { body: { domainName: 'https://conformance.example' } }],
  ]),
  wallets.refuses('read', 'domainName has at most 255 characters', () => [
    ['too long', register, { body: { domainName: `${'a.'.repeat(130)}example` } }],
  ]),
  wallets.refuses('read', 'An unknown certificate cannot be revoked', () => [
    ['an unknown certificate', `POST /v1/certificates/${nothing}/revoke`],
  ]),
  wallets.refuses('read', 'certificate is required to activate one', () => [
    ['no certificate', `POST /v1/certificates/${nothing}/activate`, { body: {} }],
  ]),
  wallets.writes(
    'A new domain is pending, and has a verification file; registering it again changes nothing',
    'id, domainName, status pending, createdAt, verificationFile; the same id',
    async (api) => {
      const body = { domainName: `${newKey()}.conformance.example` };
      const [first, again] = [await api.send(register, { body }), await api.send(register, { body })];
      const { path, content } = first.body?.verificationFile ?? {};
      const fields = checkFields(first, {
        id: isUuid,
        domainName: isOneOf(body.domainName),
        status: isOneOf('pending'),
        createdAt: isTime,
        verificationFile: () =>
          path === '/.well-known/apple-developer-merchantid-domain-association' &&
          typeof content === 'string',
      });
      return seen(fields.holds && first.body?.id === again.body?.id, fields.seen);
    },
  ),
];

export const platformStatements = [...accessStatements, ...walletStatements];
