import { type Api, form, newKey, nothing } from '../api.js';
import {
  checkAllRejected,
  checkFields,
  isSuccess,
  isText,
  type Statement,
  seen,
  statusIs,
  type WrongRequest,
} from '../statement.js';
import { bank, person, picture } from './seller-forms.js';

const section = 'Sub-accounts';
const pf = 'POST /v2/submerchants/onboarding/pf';
const pj = 'POST /v2/submerchants/onboarding/pj';

const long = (length: number) => 'x'.repeat(length + 1);

/** Creates onboarding PF forms that must be rejected, each with its mistake. */
const rejectForms = (
  statement: string,
  changes: Readonly<Record<string, Readonly<Record<string, string | Blob | undefined>>>>,
): Statement => ({
  section,
  statement,
  expected: 'refused (4xx)',
  need: 'write',
  check: (api) =>
    checkAllRejected(
      api,
      Object.entries(changes).map(([label, change]): WrongRequest => {
        const fields = Object.entries({ ...person(), ...change });
        const value = fields.filter((field): field is [string, string | Blob] => field[1] !== undefined);
        return [label, pf, { body: form(Object.fromEntries(value)), key: newKey() }];
      }),
    ),
});

const banks = (changes: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(changes).map(([label, change]) => [
      label,
      { bankAccount: JSON.stringify({ ...bank, ...change }) },
    ]),
  );

const required = [
  'fullName',
  'birthDate',
  'phone',
  'addressZipCode',
  'addressStreet',
  'addressNumber',
  'addressNeighborhood',
  'addressCity',
  'addressState',
  'bankAccount',
];

const longest = {
  fullName: 255,
  addressZipCode: 10,
  addressStreet: 255,
  addressNumber: 20,
  addressComplement: 255,
  addressNeighborhood: 100,
  addressCity: 100,
  addressState: 2,
};

const longestBank = {
  bankName: 100,
  bankCode: 3,
  bankAgency: 20,
  bankAccount: 30,
  bankAccountDv: 5,
  ispb: 8,
};

const longestUpdate = {
  url: 255,
  phone: 20,
  addressZipCode: 10,
  addressStreet: 255,
  addressStreetNumber: 20,
  addressComplement: 255,
  addressNeighborhood: 100,
  addressCity: 100,
  addressState: 2,
  addressCountry: 2,
};

const mapped = (lengths: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(lengths).map(([name, length]) => [`${name} too long`, { [name]: long(length) }]),
  );

const creation = () => form({ documentNumber: '52998224725', documentType: 'cpf', phone: '+5511912345678' });

/** Creates a sub-account, with the field names that the SDK assumes. */
async function newAccount(api: Api): Promise<string> {
  const { body } = await api.send('POST /v1/submerchants', { body: creation(), key: newKey() });
  return String(body?.internalId);
}

const onAccount = (
  statement: string,
  expected: string,
  look: (api: Api, path: string) => ReturnType<Statement['check']>,
): Statement => ({
  section,
  statement,
  expected,
  need: 'write',
  isAssumed: true,
  check: async (api) => look(api, `/v1/submerchants/${await newAccount(api)}`),
});

export const sellerRuleStatements: readonly Statement[] = [
  rejectForms(
    'Each required field of onboarding PF is required',
    Object.fromEntries(required.map((name) => [`without ${name}`, { [name]: undefined }])),
  ),
  rejectForms('Each field of onboarding PF has its maximum length', mapped(longest)),
  rejectForms('The fields of onboarding PF have their forms', {
    'document of 10 digits': { document: '5299822472' },
    'birthDate in the Brazilian form': { birthDate: '28/02/1990' },
    'phone not in E.164': { phone: '11912345678' },
    'email without @': { email: 'maria' },
  }),
  rejectForms('The front of the identity card needs its back', {
    'front alone': { cnhCompleta: undefined, documentoFrente: picture() },
    'back alone': { cnhCompleta: undefined, documentoVerso: picture() },
  }),
  rejectForms('selfieComDocumento is not taken for the selfie', {
    'the old field': { selfie: undefined, selfieComDocumento: picture() },
  }),
  rejectForms(
    'Every field of the bank account is required',
    banks(Object.fromEntries(Object.keys(bank).map((name) => [`without ${name}`, { [name]: undefined }]))),
  ),
  rejectForms('Each field of the bank account has its form and its maximum length', {
    ...banks(mapped(longestBank)),
    ...banks({
      'another type': { bankAccountType: 'corrente' },
      'bankCode of letters': { bankCode: 'abc' },
      'ispb of letters': { ispb: 'abcdefgh' },
      'a number': { bankAccount: 12_345 },
    }),
    'no JSON': { bankAccount: 'conta 12345' },
  }),
  {
    section,
    statement: 'The front and the back of the identity card are accepted instead of the licence',
    expected: '202',
    need: 'write',
    check: async (api) => {
      const { cnhCompleta: _, ...rest } = person();
      const body = form({ ...rest, documentoFrente: picture(), documentoVerso: picture() });
      return statusIs(await api.send(pf, { body, key: newKey() }), 202);
    },
  },
  {
    section,
    statement: 'The keys of sub-accounts and onboarding are UUIDs',
    expected: 'refused (4xx)',
    need: 'write',
    check: (api) =>
      checkAllRejected(api, [
        ['POST /v1/submerchants', 'POST /v1/submerchants', { body: creation(), key: 'order-1042' }],
        ['PF', pf, { body: form(person()), key: 'order-1042' }],
        ['PJ', pj, { body: form({ cnpj: '11222333000181' }), key: 'order-1042' }],
        ['PJ without a key', pj, { body: form({ cnpj: '11222333000181' }) }],
      ]),
  },
  {
    section,
    statement: 'Onboarding PJ returns 202 with registration_id and status',
    expected: '202, registration_id, status',
    need: 'write',
    check: async (api) => {
      const body = form({
        cnpj: '11222333000181',
        representativeCpf: '52998224725',
        representativeName: 'Maria Silva',
        birthDate: '1990-02-28',
        phone: '+5511912345678',
        email: 'contato@conformance.example',
        bankAccount: JSON.stringify(bank),
        cnhCompleta: picture(),
        selfie: picture(),
        contratoSocial: picture(),
        cartaoCnpj: picture(),
      });
      const response = await api.send(pj, { body, key: newKey() });
      const { holds, seen: what } = checkFields(response, { registration_id: isText, status: isText });
      return seen(holds && response.status === 202, `${response.status}, ${what}`);
    },
  },
  {
    section,
    statement: 'internalId of an update is a UUID, withdrawId an integer',
    expected: 'refused (4xx)',
    need: 'read',
    check: async (api) => {
      const responses = [
        await api.send('PATCH /v1/submerchants/none', { body: { phone: '+5511912345678' } }),
        await api.send('GET /v1/submerchants/withdrawals/none'),
        await api.send(`GET /v1/submerchants/withdrawals/${nothing}`),
      ];
      const statuses = responses.map(({ status }) => status);
      return seen(
        statuses.every((status) => status >= 400 && status < 500 && status !== 401),
        statuses.join(', '),
      );
    },
  },
  onAccount('An update of one field is accepted', '2xx', async (api, path) => {
    const response = await api.send(`PATCH ${path}`, { body: { phone: '+5511987654321' } });
    return seen(isSuccess(response), String(response.status));
  }),
  onAccount('Each field of an update has its maximum length', 'refused (4xx)', (api, path) =>
    checkAllRejected(
      api,
      Object.entries(longestUpdate).map(
        ([name, length]): WrongRequest => [name, `PATCH ${path}`, { body: { [name]: long(length) } }],
      ),
    ),
  ),
  onAccount('An update cannot change the status or bank data', 'refused (4xx)', (api, path) =>
    checkAllRejected(api, [
      ['status', `PATCH ${path}`, { body: { status: 'inactive' } }],
      ['bankAccount', `PATCH ${path}`, { body: { bankAccount: bank } }],
    ]),
  ),
];
