import * as z from 'zod/mini';
import { limits } from '../limits.js';
import { isHostname } from '../patterns.js';
import { filledText, once, titled, uuid } from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import type { listDomainsOperation, registerDomainOperation } from './operations.js';

const domain = once(() =>
  titled(
    'Domain',
    z.strictObject({
      id: uuid,
      domainName: z.string(),
      status: z.enum(['pending', 'verified', 'failed']),
      verifiedAt: z.nullish(z.string()),
      lastVerificationError: z.nullish(z.string()),
      createdAt: z.string(),
      verificationFile: z.optional(z.strictObject({ path: z.string(), content: z.string() })),
    }),
  ),
);

export const domainSchemas = {
  'domains.register': defineSchemas<typeof registerDomainOperation>()(() => ({
    summary: 'Register a domain that offers wallets',
    request: titled(
      'RegisterDomain',
      z.looseObject({
        domainName: filledText(limits.domainNameLength).check(
          z.refine(isHostname, 'must be a hostname only, without scheme, port or path'),
        ),
      }),
    ),
    response: domain(),
  })),
  'domains.list': defineSchemas<typeof listDomainsOperation>()(() => ({
    summary: 'List domains and their verification status',
    response: titled('DomainList', z.strictObject({ data: z.array(domain()) })),
  })),
};
