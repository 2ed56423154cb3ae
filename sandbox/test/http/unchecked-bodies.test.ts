import { expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.js';
import { createSandbox } from '../../index.js';

/** Lists bodies with missing or empty fields. */
const bodies: readonly unknown[] = [
  {},
  [],
  null,
  'text',
  1,
  { amount: 100 },
  { amount: 100, paymentMethod: 'pix' },
  { amount: 100, paymentMethod: 'credit_card', items: [], card: {} },
  { amount: 100, paymentMethod: 'pix', items: [{}], split: [{}], subMerchant: {}, customer: null },
  { paymentMethod: 'boleto', boleto: null },
  { webhook_url: 'https://merchant.example/hook' },
  { events: null, hmac_secret: null },
  { domainName: 'merchant.example' },
  { certificate: 'x' },
  { documentNumber: '52998224725', url: null },
  { grant_type: null },
];

test.each(operations.filter(({ encoding }) => encoding !== 'none'))(
  'a body that lacks required fields of $id causes no 5xx while the sandbox’s checks are off',
  async ({ method, path }) => {
    const sandbox = createSandbox({ checks: 'document', rateLimits: false });
    const { baseUrl, clientId = '', clientSecret = '', fetch } = sandbox.clientOptions();
    for (const body of bodies) {
      const headers = {
        'content-type': 'application/json',
        'client-id': clientId,
        'client-secret': clientSecret,
        'x-idempotency-key': crypto.randomUUID(),
      };
      const url = `${baseUrl}${path.replace(/\{\w+\}/g, 'unknown')}`;
      const response = await fetch?.(url, { method, headers, body: JSON.stringify(body) });
      expect({ body, status: response?.status }).toEqual({
        body,
        status: expect.toSatisfy((status) => status < 500),
      });
    }
    await sandbox.close();
  },
);
