import { nothing, uuid } from '../api.js';
import { checkAllRejected, isOneOf, isText, isTime, type Statement, seen } from '../statement.js';

const section = 'Wallet domains and certificates';

/** Checks that every item's fields pass their tests. */
const items = (
  statement: string,
  request: string,
  tests: Readonly<Record<string, (value: unknown) => boolean>>,
  more: Partial<Statement> = {},
): Statement => ({
  section,
  statement,
  expected: Object.keys(tests).join(', '),
  need: 'read',
  ...more,
  check: async (api) => {
    const { status, body } = await api.send(request);
    if (status !== 200 || !Array.isArray(body?.data)) return seen(false, String(status));
    const wrong = Object.entries(tests).filter(([name, passes]) =>
      body.data.some((item: Record<string, unknown>) => !passes(item?.[name])),
    );
    return seen(wrong.length === 0, wrong.map(([name]) => name).join(', ') || `${body.data.length} items`);
  },
});

const absentOr = (passes: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || value === null || passes(value);

const certificate = {
  id: (value: unknown) => uuid.test(String(value)),
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

export const platformRuleStatements: readonly Statement[] = [
  items('Each domain of the list has its fields', 'GET /v1/payment-method-domains', {
    id: (value) => uuid.test(String(value)),
    domainName: isText,
    status: isOneOf('pending', 'verified', 'failed'),
    verifiedAt: absentOr(isTime),
    lastVerificationError: absentOr((value) => typeof value === 'string'),
    createdAt: isTime,
  }),
  items('Each certificate of the list has its fields', 'GET /v1/certificates', certificate),
  items(
    'The list of certificates is filtered by type',
    'GET /v1/certificates?type=apple_pay_payment_processing',
    { type: certificate.type },
    { isAssumed: true },
  ),
  {
    section,
    statement: 'domainName is a hostname: required, without port, path or user',
    expected: 'refused (4xx)',
    need: 'write',
    check: (api) =>
      checkAllRejected(
        api,
        [
          undefined,
          5,
          '',
          'conformance.example:8080',
          'conformance.example/path',
          'a@conformance.example',
        ].map((domainName) => [
          String(domainName),
          'POST /v1/payment-method-domains',
          { body: { domainName } },
        ]),
      ),
  },
  {
    section: 'Webhooks',
    statement: 'A registration has an HTTPS URL, a list of events, and a secret that is text',
    expected: 'refused (4xx)',
    need: 'write',
    check: (api) => {
      const url = 'https://conformance.example/hook';
      return checkAllRejected(
        api,
        Object.entries({
          'no URL': { events: ['transaction.paid'] },
          'a URL without a scheme': { webhook_url: 'conformance.example', events: ['transaction.paid'] },
          'events as text': { webhook_url: url, events: 'transaction.paid' },
          'a number as secret': {
            webhook_url: url,
            events: ['transaction.paid'],
            hmac_secret: 1_234_567_890,
          },
        }).map(([label, body]) => [label, 'POST /v1/webhooks', { body }]),
      );
    },
  },
  {
    section: 'Webhooks',
    statement: 'An unknown webhook cannot be changed',
    expected: 'refused (4xx)',
    need: 'read',
    check: async (api) => {
      const { status } = await api.send(`PUT /v1/webhooks/${nothing}`, {
        body: { events: ['transaction.paid'] },
      });
      return seen(status >= 400 && status < 500 && status !== 401, String(status));
    },
  },
  {
    section: 'Authentication',
    statement: 'Every operation requires the headers',
    expected: '401 without them',
    need: 'read',
    check: async (api) => {
      const requests = [
        'POST /v1/payments',
        `GET /v1/payments/${nothing}/boleto`,
        'POST /v1/submerchants',
        `PATCH /v1/submerchants/${nothing}`,
        'POST /v2/submerchants/onboarding/pf',
        'POST /v2/submerchants/onboarding/pj',
        `GET /v2/submerchants/onboarding/${nothing}/status`,
        `POST /v2/submerchants/onboarding/${nothing}/resend-documents`,
        'POST /v1/submerchants/withdrawals',
        'GET /v1/submerchants/withdrawals/1',
        'POST /v1/payment-method-domains',
        'GET /v1/payment-method-domains',
        'GET /v1/certificates',
        `POST /v1/certificates/${nothing}/activate`,
        `POST /v1/certificates/${nothing}/revoke`,
        'POST /v1/webhooks',
        `PUT /v1/webhooks/${nothing}`,
        'GET /v1/webhooks',
        'POST /v1/vault/tokenize',
      ];
      const others: string[] = [];
      for (const request of requests) {
        const isRead = request.startsWith('GET');
        const { status } = await api.send(request, { anonymous: true, ...(!isRead && { body: {} }) });
        if (status !== 401) others.push(`${request}: ${status}`);
      }
      return seen(others.length === 0, others.join(', ') || `${requests.length} times 401`);
    },
  },
];
