import { newKey, nothing, uuid } from '../api.js';
import { checkFields, isOneOf, isRejected, isTime, type Statement, seen } from '../statement.js';

const section = 'Wallet domains and certificates';

const list = (request: string): Statement => ({
  section,
  statement: `${request} returns an object with a data array`,
  expected: 'data',
  need: 'read',
  check: async (api) => {
    const { status, body } = await api.send(request);
    return seen(status === 200 && Array.isArray(body?.data), `${status}`);
  },
});

const rejectRequest = (statement: string, request: string, body?: object): Statement => ({
  section,
  statement,
  expected: 'refused (4xx)',
  need: 'read',
  check: async (api) => isRejected(await api.send(request, body === undefined ? {} : { body })),
});

export const walletStatements: readonly Statement[] = [
  list('GET /v1/payment-method-domains'),
  list('GET /v1/certificates'),
  rejectRequest('domainName has no scheme', 'POST /v1/payment-method-domains', {
    domainName: 'https://conformance.example',
  }),
  rejectRequest('domainName has at most 255 characters', 'POST /v1/payment-method-domains', {
    domainName: `${'a.'.repeat(130)}example`,
  }),
  rejectRequest('An unknown certificate cannot be revoked', `POST /v1/certificates/${nothing}/revoke`),
  rejectRequest('certificate is required to activate one', `POST /v1/certificates/${nothing}/activate`, {}),
  {
    section,
    statement: 'A new domain is pending, and has a verification file; registering it again changes nothing',
    expected: 'id, domainName, status pending, createdAt, verificationFile; the same id',
    need: 'write',
    check: async (api) => {
      const body = { domainName: `${newKey()}.conformance.example` };
      const first = await api.send('POST /v1/payment-method-domains', { body });
      const again = await api.send('POST /v1/payment-method-domains', { body });
      const fields = checkFields(first, {
        id: (value) => uuid.test(String(value)),
        domainName: isOneOf(body.domainName),
        status: isOneOf('pending'),
        createdAt: isTime,
        verificationFile: (value) => {
          const { path, content } = (value ?? {}) as { path?: unknown; content?: unknown };
          return (
            path === '/.well-known/apple-developer-merchantid-domain-association' &&
            typeof content === 'string'
          );
        },
      });
      return seen(fields.holds && first.body?.id === again.body?.id, fields.seen);
    },
  },
];
