import { payloadDigest } from '../state/payload-digest.js';
import type { Received } from './receive-body.js';
import type { RequestBody } from './request-body.js';

/**
 * The digest of a body in the journal. The boundary of a form is random: the digest of a form that could be
 * read is that of its content, so that the same form has the same one in every run.
 */
export const bodyDigest = ({ digest }: Received, { encoding, value }: RequestBody): string =>
  encoding === 'multipart' && value !== undefined ? payloadDigest(value) : digest;
