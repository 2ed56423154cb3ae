import type { OperationRecord } from './operation-record.js';

export const vaultRecords = {
  'vault.tokenize': {
    section: 'Vault',
    statements: {
      prefix: 'vault',
      lines: [
        ['POST /v1/vault/tokenize exists', 'POST /v1/vault/tokenize exists'],
        ['Its shape is open', 'A vault charge needs no customer, and refuses one; it has no upsell token'],
      ],
    },
    sample: async ({ platform }) => {
      const { cardTokenId } = await platform.vault.tokenize<{ cardTokenId: string }>({
        number: '4111111111111111',
        holderName: 'ANA SOUZA',
        expirationMonth: 12,
        expirationYear: 2030,
      });
      console.log(cardTokenId);
    },
    testSamples: [({ platform, samples }) => platform.vault.tokenize(samples.vault.tokenize())],
    wire: {
      call: (platform) => platform.vault.tokenize({ number: '4111111111111111' }),
      method: 'POST',
      path: '/v1/vault/tokenize',
      json: { number: '4111111111111111' },
      key: 'none',
      response: { cardTokenId: 'token' },
    },
    minimal: { requests: [(p) => p.vault.tokenize({})], responses: [{}, [], 'tok', 1, null] },
  },
} satisfies Record<string, OperationRecord>;
