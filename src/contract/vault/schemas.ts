import { object, secret } from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import type { tokenizeOperation } from './operations.js';

export const vaultSchemas = {
  'vault.tokenize': defineSchemas<typeof tokenizeOperation>()(() => ({
    summary: 'Store a card in the vault',
    section: 'Vault',
    request: secret(object),
  })),
};
