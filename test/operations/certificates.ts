import { notShown, ofWallet } from '../../tools/conformance/entry.js';
import { certificateDer } from '../support/certificate.js';
import { id } from '../support/payments.js';
import type { OperationRecord } from './operation-record.js';

const certificate = {
  id,
  type: 'apple_pay_payment_processing',
  status: 'active',
  createdAt: '2026-01-01T00:00:00Z',
};

export const certificateRecords = {
  'certificates.list': {
    section: 'Certificates',
    statements: {
      prefix: 'certificates',
      lines: [
        [
          'The list has data, certificates',
          [
            'GET /v1/certificates returns an object with a data array',
            'Each certificate of the list has its fields',
          ],
        ],
        ['It is filtered by the type', 'The list of certificates is filtered by type'],
        ['An activation needs the certificate', 'certificate is required to activate one'],
        ['It is PEM or base64 of the .cer file', ofWallet],
        ['An activation returns the active certificate', ofWallet],
        ['A revocation has no body, and returns the certificate', 'An unknown certificate cannot be revoked'],
        ['The operation that makes a record is open', notShown],
      ],
    },
    sample: async ({ platform }) => {
      const { data } = await platform.certificates.list({ type: 'apple_pay_payment_processing' });
      for (const { id, status, notAfter } of data) console.log(id, status, notAfter);
    },
    wire: {
      call: (platform) => platform.certificates.list({ type: 'apple_pay_payment_processing' }),
      method: 'GET',
      path: '/v1/certificates?type=apple_pay_payment_processing',
      key: 'none',
      response: { data: [certificate] },
    },
    minimal: {
      requests: [(p) => p.certificates.list()],
      responses: [{ data: [] }, { data: [{ ...certificate, status: 'issued' }] }],
    },
  },
  'certificates.activate': {
    section: 'Certificates',
    sample: async ({ platform, certificateId, certificate }) => {
      const { status, notAfter } = await platform.certificates.activate(certificateId, { certificate });
      console.log(status, notAfter);
    },
    testSamples: [
      async ({ platform, sandbox, samples }) => {
        const record = await sandbox.control.certificates.create();
        const { der } = await sandbox.control.certificates.issue(record.signingRequestPem ?? '');
        return platform.certificates.activate(record.id, samples.certificates.activate(der));
      },
    ],
    wire: {
      call: (platform) => platform.certificates.activate(id, { certificate: certificateDer }),
      method: 'POST',
      path: `/v1/certificates/${id}/activate`,
      json: { certificate: Buffer.from(certificateDer).toString('base64') },
      key: 'none',
      response: certificate,
    },
    minimal: {
      requests: [(p) => p.certificates.activate(id, { certificate: certificateDer })],
      responses: [certificate],
    },
  },
  'certificates.revoke': {
    section: 'Certificates',
    sample: async ({ platform, certificateId }) => {
      const { status } = await platform.certificates.revoke(certificateId);
      console.log(status);
    },
    wire: {
      call: (platform) => platform.certificates.revoke(id),
      method: 'POST',
      path: `/v1/certificates/${id}/revoke`,
      key: 'none',
      response: { ...certificate, status: 'revoked', revokedAt: '2026-01-02T00:00:00Z' },
    },
    minimal: {
      requests: [(p) => p.certificates.revoke(id)],
      responses: [{ ...certificate, status: 'revoked' }],
    },
  },
} satisfies Record<string, OperationRecord>;
