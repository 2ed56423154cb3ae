import { z } from 'zod';
import { filled, object, once, uuid } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import type { activateCertificate, listCertificates, revokeCertificate } from './operations.js';

const certificate = once(() =>
  z
    .strictObject({
      id: uuid,
      type: z.literal('apple_pay_payment_processing'),
      status: z.enum(['issued', 'active', 'revoked']),
      signingRequestPem: z.string().nullish(),
      publicKeyFingerprint: z.string().nullish(),
      notBefore: z.string().nullish(),
      notAfter: z.string().nullish(),
      activatedAt: z.string().nullish(),
      revokedAt: z.string().nullish(),
      metadata: object.nullish(),
      createdAt: z.string(),
    })
    .meta({ title: 'Certificate' }),
);

export const certificateSchemas = {
  'certificates.list': schemasFor<typeof listCertificates>()(() => ({
    query: z.looseObject({ type: z.enum(['apple_pay_payment_processing']).optional() }),
    response: z.strictObject({ data: z.array(certificate()) }).meta({ title: 'CertificateList' }),
  })),
  'certificates.activate': schemasFor<typeof activateCertificate>()(() => ({
    request: z.looseObject({ certificate: filled }).meta({ title: 'ActivateCertificate' }),
    response: certificate(),
  })),
  'certificates.revoke': schemasFor<typeof revokeCertificate>()(() => ({
    response: certificate(),
  })),
};
