import * as z from 'zod/mini';
import { assumed, filled, object, once, titled, uuid } from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import type {
  activateCertificateOperation,
  listCertificatesOperation,
  revokeCertificateOperation,
} from './operations.js';

const certificate = once(() =>
  titled(
    'Certificate',
    z.strictObject({
      id: uuid,
      type: z.literal('apple_pay_payment_processing'),
      status: z.enum(['issued', 'active', 'revoked']),
      signingRequestPem: z.nullish(z.string()),
      publicKeyFingerprint: z.nullish(z.string()),
      notBefore: z.nullish(z.string()),
      notAfter: z.nullish(z.string()),
      activatedAt: z.nullish(z.string()),
      revokedAt: z.nullish(z.string()),
      metadata: z.nullish(object),
      createdAt: z.string(),
    }),
  ),
);

export const certificateSchemas = {
  'certificates.list': defineSchemas<typeof listCertificatesOperation>()(() => ({
    summary: 'List wallet certificates',
    section: 'Certificates',
    query: z.looseObject({
      type: assumed(
        'certificates.type',
        "The API docs describe the filter without naming it. The filter accepts the same values as the certificate's `type` field.",
        z.optional(z.enum(['apple_pay_payment_processing'])),
      ),
    }),
    response: titled('CertificateList', z.strictObject({ data: z.array(certificate()) })),
  })),
  'certificates.activate': defineSchemas<typeof activateCertificateOperation>()(() => ({
    summary: 'Activate a certificate that the authority issued',
    section: 'Certificates',
    request: titled('ActivateCertificate', z.looseObject({ certificate: filled })),
    response: certificate(),
  })),
  'certificates.revoke': defineSchemas<typeof revokeCertificateOperation>()(() => ({
    summary: 'Revoke a certificate',
    section: 'Certificates',
    response: certificate(),
  })),
};
