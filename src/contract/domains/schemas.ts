import { z } from 'zod';
import { limits } from '../limits.js';
import { filledText, once, uuid } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import type { listDomains, registerDomain } from './operations.js';

const label = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;

/** Whether a text is only a hostname, without scheme, port or path. Labels are letters, digits, dashes and underscores. */
const isHostname = (name: string) => name.split('.').every((part) => label.test(part));

const domain = once(() =>
  z
    .strictObject({
      id: uuid,
      domainName: z.string(),
      status: z.enum(['pending', 'verified', 'failed']),
      verifiedAt: z.string().nullish(),
      lastVerificationError: z.string().nullish(),
      createdAt: z.string(),
      verificationFile: z.strictObject({ path: z.string(), content: z.string() }).optional(),
    })
    .meta({ title: 'Domain' }),
);

export const domainSchemas = {
  'domains.register': schemasFor<typeof registerDomain>()(() => ({
    request: z
      .looseObject({
        domainName: filledText(limits.domainNameLength).refine(
          isHostname,
          'must be a hostname only, without scheme, port or path (an international name in its xn-- form)',
        ),
      })
      .meta({ title: 'RegisterDomain' }),
    response: domain(),
  })),
  'domains.list': schemasFor<typeof listDomains>()(() => ({
    response: z.strictObject({ data: z.array(domain()) }).meta({ title: 'DomainList' }),
  })),
};
