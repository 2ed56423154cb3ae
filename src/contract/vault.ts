import { object } from './common.js';
import { operation } from './operation.js';

export const tokenize = operation({
  id: 'vault.tokenize',
  method: 'POST',
  path: '/v1/vault/tokenize',
  section: 'Vault',
  encoding: 'json',
  idempotencyKey: 'none',
  // Nothing is shown of it: that a second token is harmless is not ours to say.
  replay: 'never',
  conflict: 'unspecified',
  rateLimit: 'vault',
  request: object,
  response: 'unspecified',
});
