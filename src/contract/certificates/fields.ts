import { assumed, fieldTable } from '../fields.js';
import type { CertificateFilter } from './types.js';

/** The query of GET /v1/certificates. */
export const certificateFilterFields = fieldTable<CertificateFilter>()('certificates', 'query', {
  type: assumed(
    'The filter of the list is documented without its name; its values are those of the field `type`.',
  ),
});
