import { assumed, fieldTable } from './fields.js';

/** The response headers that the SDK reads. */
export const answerHeaderFields = fieldTable<{ requestId: string }>()('response', 'response-header', {
  requestId: assumed('No request identifier is documented; this is the header that most platforms send.', {
    wire: 'x-request-id',
  }),
});
