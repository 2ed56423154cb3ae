import { notShown } from '../../tools/conformance/entry.js';
import { jpeg } from '../support/onboarding.js';
import { id } from '../support/payments.js';
import type { OperationRecord } from './operation-record.js';
import { createSubAccount } from './sub-account.js';

/** The check of the keys of sub-accounts and onboarding. */
export const keysAreUuids = 'The keys of sub-accounts and onboarding are UUIDs';
const updateLength = 'Each field of an update has its maximum length';

export const submerchantRecords = {
  'submerchants.create': {
    section: 'POST /v1/submerchants',
    statements: {
      prefix: 'submerchant',
      lines: [
        [
          'It makes a sub-account from a form',
          'Sub-account creation: the same key and payload the same response; another payload 409',
        ],
        ['The key is required', 'The key is required on POST /v1/submerchants'],
        ['The key is a UUID', keysAreUuids],
        [
          'documentNumber, documentType and phone are fields',
          'Sub-account creation: the same key and payload the same response; another payload 409',
        ],
      ],
    },
    sample: async ({ platform }) => {
      const submerchant = await platform.submerchants.create({
        documentNumber: '11.222.333/0001-81',
        documentType: 'cnpj',
        phone: '+5511912345678',
      });
      console.log(submerchant);
    },
    testSamples: [({ platform, samples }) => platform.submerchants.create(samples.submerchants.create())],
    wire: {
      call: (platform) =>
        platform.submerchants.create({
          documentNumber: '12.abc.345/01de-35',
          documentType: 'cnpj',
          phone: '1133334444',
          anything: 'else',
          partners: 2,
          active: true,
          address: { city: 'São Paulo' },
          logo: jpeg,
        }),
      method: 'POST',
      path: '/v1/submerchants',
      form: {
        documentNumber: '12ABC34501DE35',
        documentType: 'cnpj',
        phone: '1133334444',
        anything: 'else',
        partners: '2',
        active: 'true',
        address: '{"city":"São Paulo"}',
        logo: jpeg,
      },
      key: 'uuid',
      response: { internalId: id },
    },
    minimal: {
      requests: [(p) => p.submerchants.create({ phone: '1' })],
      responses: [{}, [], 'ok', 1, null],
    },
  },
  'submerchants.update': {
    section: 'PATCH /v1/submerchants/{internalId}',
    statements: {
      prefix: 'update',
      lines: [
        ['Only what changes is sent', 'An update of one field is accepted'],
        ['It cannot change the status', 'An update cannot change the status or bank data'],
        ['It cannot change bank data', 'An update cannot change the status or bank data'],
        ['internalId is a UUID', 'internalId of an update is a UUID, withdrawId an integer'],
        ...[
          'url',
          'phone',
          'addressZipCode',
          'addressStreet',
          'addressStreetNumber',
          'addressComplement',
          'addressNeighborhood',
          'addressCity',
          'addressState',
          'addressCountry',
        ].map((name) => [`${name} has its maximum length`, updateLength] as const),
        ['A success means that it was updated', 'An update of one field is accepted'],
        ['Updates of fees and bank account exist', notShown],
      ],
    },
    sample: async ({ platform, internalId }) => {
      await platform.submerchants.update(internalId, { phone: '+5511912345678' });
    },
    testSamples: [
      async (parts) => {
        const { internalId } = await createSubAccount(parts);
        return parts.platform.submerchants.update(internalId, parts.samples.submerchants.update());
      },
    ],
    wire: {
      call: (platform) =>
        platform.submerchants.update(id, { url: 'https://shop.example', addressZipCode: '01310-100' }),
      method: 'PATCH',
      path: `/v1/submerchants/${id}`,
      json: { url: 'https://shop.example', addressZipCode: '01310-100' },
      key: 'none',
      response: { updated: true },
    },
    minimal: {
      requests: [(p) => p.submerchants.update(id, {}), (p) => p.submerchants.update(id, { url: '' })],
      responses: [{}, [], 'ok', 1, null],
    },
  },
  'submerchants.withdrawals.create': {
    section: 'Withdrawals',
    statements: {
      prefix: 'withdrawals',
      lines: [
        ['A POST makes one', notShown],
        ['withdrawId is an integer', 'internalId of an update is a UUID, withdrawId an integer'],
        ['A GET has withdraw_id and status', notShown],
        ['Of another account: 404', 'A withdrawal of another account is not found'],
      ],
    },
    sample: async ({ platform, internalId }) => {
      const withdrawal = await platform.submerchants.withdrawals.create({ internalId, amount: 5000 });
      console.log(withdrawal.withdraw_id);
    },
    testSamples: [
      async (parts) => {
        const { internalId } = await createSubAccount(parts);
        return parts.platform.submerchants.withdrawals.create(
          parts.samples.submerchants.withdrawal(internalId),
        );
      },
    ],
    wire: {
      call: (platform) => platform.submerchants.withdrawals.create({ internalId: id, amount: 5_000 }),
      method: 'POST',
      path: '/v1/submerchants/withdrawals',
      json: { internalId: id, amount: 5_000 },
      key: 'none',
      response: { withdraw_id: 42 },
    },
    minimal: {
      requests: [(p) => p.submerchants.withdrawals.create({})],
      responses: [{ withdraw_id: 1 }],
    },
  },
  'submerchants.withdrawals.retrieve': {
    section: 'Withdrawals',
    sample: async ({ platform, withdrawId }) => {
      const withdrawal = await platform.submerchants.withdrawals.retrieve(withdrawId);
      console.log(withdrawal.status);
    },
    wire: {
      call: (platform) => platform.submerchants.withdrawals.retrieve(42),
      method: 'GET',
      path: '/v1/submerchants/withdrawals/42',
      key: 'none',
      response: { withdraw_id: 42, status: 'pending' },
    },
    minimal: {
      requests: [(p) => p.submerchants.withdrawals.retrieve(1)],
      responses: [
        { withdraw_id: 1, status: 'pending' },
        { withdraw_id: 1, status: 'any' },
      ],
    },
  },
} satisfies Record<string, OperationRecord>;
