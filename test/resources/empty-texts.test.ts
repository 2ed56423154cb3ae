import type { PaymentPlatform, ValidationError } from 'payment-platform';
import { describe, expect, test } from 'vitest';
import { catchError, clientOn } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { bankAccount, pf } from '../support/onboarding.js';
import { id } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

type Call = (platform: PaymentPlatform, text: string) => Promise<unknown>;
const hook = { webhook_url: 'https://shop.example/hooks', events: [] };

const ofPerson = [
  'fullName',
  'addressZipCode',
  'addressStreet',
  'addressNumber',
  'addressNeighborhood',
  'addressCity',
  'addressState',
].map((field): [string, Call] => [
  field,
  (platform, text) => platform.onboarding.submitPf({ ...pf, [field]: text }),
]);
const ofAccount = ['bankName', 'bankAgency', 'bankAccount', 'bankAccountDv'].flatMap(
  (field): [string, Call][] => [
    [
      `bankAccount.${field}`,
      (platform, text) =>
        platform.onboarding.submitPf({ ...pf, bankAccount: { ...bankAccount, [field]: text } }),
    ],
    [
      `bankAccount.${field}`,
      (platform, text) => platform.onboarding.submitPj({ bankAccount: { ...bankAccount, [field]: text } }),
    ],
  ],
);

describe('an empty string as a value of a request', () => {
  test.each<[path: string, call: Call]>([
    ...ofPerson,
    ...ofAccount,
    ['domainName', (platform, domainName) => platform.domains.register({ domainName })],
    ['certificate', (platform, certificate) => platform.certificates.activate(id, { certificate })],
    [
      'events.1',
      (platform, name) => platform.webhooks.create({ ...hook, events: ['transaction.paid', name] }),
    ],
    ['events.0', (platform, name) => platform.webhooks.update(id, { events: [name] })],
  ])('is treated as missing in %s, and the call is rejected', async (path, call) => {
    const server = opens(await formServer());
    const platform = opens(clientOn('node', server.url));
    for (const text of ['', ' ', '\t\n', '\u00a0\u3000']) {
      const { name, issues } = await catchError<ValidationError>(call(platform, text));
      expect(name).toBe('ValidationError');
      expect(issues).toEqual([{ path, message: 'must not be empty' }]);
    }
    expect(server.received).toHaveLength(0);
  });
});

test.each<[name: string, call: Call]>([
  [
    'an address complement',
    (platform, text) => platform.onboarding.submitPf({ ...pf, addressComplement: text }),
  ],
  [
    'the address complement of an update',
    (platform, text) => platform.submerchants.update(id, { addressComplement: text }),
  ],
  ['the phone of a new sub-account', (platform, text) => platform.submerchants.create({ phone: text })],
])('%s can be empty, because the API docs allow it', async (_name, call) => {
  const server = opens(await formServer((response) => json(response, 202, { message: 'ok' })));
  const platform = opens(clientOn('node', server.url));
  await call(platform, '');
  expect(server.received).toHaveLength(1);
});
