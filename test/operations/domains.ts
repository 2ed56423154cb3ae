import { notShown } from '../../tools/conformance/entry.js';
import { id } from '../support/payments.js';
import type { OperationRecord } from './operation-record.js';

const newDomain =
  'A new domain is pending, and has a verification file; registering it again changes nothing';

const domain = { id, domainName: 'shop.example', status: 'pending', createdAt: '2026-01-01T00:00:00Z' };
const verificationFile = {
  path: '/.well-known/apple-developer-merchantid-domain-association',
  content: 'x',
};

export const domainRecords = {
  'domains.register': {
    section: 'POST /v1/payment-method-domains',
    statements: {
      prefix: 'register',
      lines: [
        [
          'domainName is required, at most 255, a hostname',
          [
            'domainName is a hostname: required, without port, path or user',
            'domainName has at most 255 characters',
            'domainName has no scheme',
          ],
        ],
        ['It returns the domain', newDomain],
        ['It is idempotent', newDomain],
        ['A new record is pending', newDomain],
      ],
    },
    sample: async ({ platform }) => {
      const { status, verificationFile } = await platform.domains.register({ domainName: 'shop.example' });
      console.log(status, verificationFile?.path);
    },
    testSamples: [({ platform, samples }) => platform.domains.register(samples.domains.register())],
    wire: {
      call: (platform) => platform.domains.register({ domainName: 'shop.example' }),
      method: 'POST',
      path: '/v1/payment-method-domains',
      json: { domainName: 'shop.example' },
      key: 'none',
      response: { ...domain, verificationFile },
    },
    minimal: {
      requests: [
        'localhost',
        'shop.example',
        'shop.example.',
        'café.com.br',
        'a_b.example',
        'x'.repeat(255),
      ].map((domainName) => (p) => p.domains.register({ domainName })),
      responses: [
        domain,
        { ...domain, verificationFile: { path: '/', content: '' } },
        { ...domain, status: 'failed', lastVerificationError: 'x', verifiedAt: null },
      ],
    },
  },
  'domains.list': {
    section: 'GET /v1/payment-method-domains',
    statements: {
      prefix: 'domains',
      lines: [
        [
          'It returns data, a list of domains',
          [
            'GET /v1/payment-method-domains returns an object with a data array',
            'Each domain of the list has its fields',
          ],
        ],
        ['The operation that validates is open', notShown],
      ],
    },
    sample: async ({ platform }) => {
      const { data } = await platform.domains.list();
      for (const { domainName, status } of data) console.log(domainName, status);
    },
    wire: {
      call: (platform) => platform.domains.list(),
      method: 'GET',
      path: '/v1/payment-method-domains',
      key: 'none',
      response: { data: [{ ...domain, verificationFile }] },
    },
    minimal: { requests: [(p) => p.domains.list()], responses: [{ data: [] }, { data: [domain] }] },
  },
} satisfies Record<string, OperationRecord>;
