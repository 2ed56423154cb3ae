import { type Api, form, newKey, nothing } from '../api.js';
import {
  about,
  assumed,
  checkAllRejected,
  checkFields,
  isRejected,
  isSuccess,
  isText,
  isUuid,
  type Statement,
  seen,
  statusIs,
} from '../statement.js';

const subAccounts = about('Sub-accounts');
const errors = about('Errors');

const register = 'POST /v1/submerchants';
const pf = 'POST /v2/submerchants/onboarding/pf';
const pj = 'POST /v2/submerchants/onboarding/pj';

type Fields = Readonly<Record<string, string | Blob | undefined>>;

const picture = () => new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], { type: 'image/png' });

const bank = {
  bankAccountType: 'conta_corrente',
  bankName: 'Banco Exemplo',
  bankCode: '999',
  bankAgency: '0001',
  bankAccount: '12345',
  bankAccountDv: '6',
  ispb: '00000000',
};

/** The form of an onboarding PF. A field that is undefined is left out. */
const person = (more: Fields = {}): FormData =>
  form({
    document: '52998224725',
    fullName: 'Maria Silva',
    birthDate: '1990-02-28',
    phone: '+5511912345678',
    addressZipCode: '01310100',
    addressStreet: 'Avenida Paulista',
    addressNumber: '1000',
    addressNeighborhood: 'Bela Vista',
    addressCity: 'São Paulo',
    addressState: 'SP',
    bankAccount: JSON.stringify(bank),
    cnhCompleta: picture(),
    selfie: picture(),
    ...more,
  });

const aSubAccount = (phone = '+5511912345678') =>
  form({ documentNumber: '52998224725', documentType: 'cpf', phone });

/** Changes of the form that must be rejected, each with its mistake. */
const refusesForms = (statement: string, changes: Readonly<Record<string, Fields>>): Statement =>
  subAccounts.refuses('write', statement, () =>
    Object.entries(changes).map(([label, change]) => [label, pf, { body: person(change), key: newKey() }]),
  );

const gets400 = (statement: string, request: string, body: () => FormData, key?: () => string): Statement =>
  subAccounts.writes(statement, '400', async (api) =>
    statusIs(await api.send(request, { body: body(), ...(key && { key: key() }) }), 400),
  );

/** A statement about a new sub-account, with the field names that the SDK assumes. */
const onAccount = (
  statement: string,
  expected: string,
  look: (api: Api, update: string) => ReturnType<Statement['check']>,
): Statement =>
  assumed(
    subAccounts.writes(statement, expected, async (api) => {
      const { body } = await api.send(register, { body: aSubAccount(), key: newKey() });
      return look(api, `PATCH /v1/submerchants/${body?.internalId}`);
    }),
  );

const mapped = <Value>(names: readonly string[], label: string, value: Value) =>
  Object.fromEntries(names.map((name) => [`${label} ${name}`, { [name]: value }]));

const tooLong = (lengths: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(lengths).map(([name, length]) => [`${name} too long`, { [name]: 'x'.repeat(length + 1) }]),
  );

const banks = (changes: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(changes).map(([label, change]) => [
      label,
      { bankAccount: JSON.stringify({ ...bank, ...change }) },
    ]),
  );

const address = {
  addressZipCode: 10,
  addressStreet: 255,
  addressComplement: 255,
  addressNeighborhood: 100,
  addressCity: 100,
  addressState: 2,
};
const longest = { fullName: 255, addressNumber: 20, ...address };
const longestUpdate = { url: 255, phone: 20, addressStreetNumber: 20, addressCountry: 2, ...address };
const longestBank = {
  bankName: 100,
  bankCode: 3,
  bankAgency: 20,
  bankAccount: 30,
  bankAccountDv: 5,
  ispb: 8,
};
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

export const sellerStatements: readonly Statement[] = [
  subAccounts.reads('A withdrawal of another account is not found', '404', async (api) =>
    statusIs(await api.send('GET /v1/submerchants/withdrawals/999999999'), 404),
  ),
  subAccounts.reads('A sub-account of another merchant cannot be updated', 'refused (4xx)', async (api) => {
    const body = { phone: '+5511912345678' };
    return isRejected(await api.send(`PATCH /v1/submerchants/${nothing}`, { body }));
  }),
  subAccounts.refuses('read', 'The status of an unknown registration cannot be read', () => [
    ['an unknown registration', `GET /v2/submerchants/onboarding/${nothing}/status`],
  ]),
  gets400('The key is required on POST /v1/submerchants', register, aSubAccount),
  gets400('The key is required on onboarding PF', pf, person),
  gets400('The selfie is required', pf, () => person({ selfie: undefined }), newKey),
  gets400('The document is required', pf, () => person({ document: undefined }), newKey),
  gets400('An identity document is required', pf, () => person({ cnhCompleta: undefined }), newKey),
  errors.writes(
    'Onboarding returns 202; the same key and payload the same response; another payload 409',
    '202, 202, 409',
    async (api) => {
      const key = newKey();
      const send = (body: FormData) => api.send(pf, { body, key });
      const [first, again] = [await send(person()), await send(person())];
      const other = await send(person({ fullName: 'Another Name' }));
      const { holds } = checkFields(first, { registration_id: isUuid, status: isText });
      const isSame = first.body?.registration_id === again.body?.registration_id;
      const statuses = [first.status, again.status, other.status].join(', ');
      return seen(holds && isSame && statuses === '202, 202, 409', statuses);
    },
  ),
  subAccounts.writes(
    'The status query has can_resubmit; documents are resent only when it is true',
    'a boolean; refused while it is false',
    async (api) => {
      const { body } = await api.send(pf, { body: person(), key: newKey() });
      const path = `/v2/submerchants/onboarding/${body?.registration_id}`;
      const status = await api.send(`GET ${path}/status`);
      const can = status.body?.can_resubmit;
      if (can !== false) return seen(can === true, `can_resubmit ${JSON.stringify(can)}`);
      const resent = await api.send(`POST ${path}/resend-documents`, { body: form({ selfie: picture() }) });
      return seen(isRejected(resent).holds, `can_resubmit false, ${resent.status}`);
    },
  ),
  errors.writes(
    'Sub-account creation: the same key and payload the same response; another payload 409',
    '2xx twice, 409',
    async (api) => {
      const key = newKey();
      const send = (body: FormData) => api.send(register, { body, key });
      const [first, again] = [await send(aSubAccount()), await send(aSubAccount())];
      const other = await send(aSubAccount('+5511987654321'));
      const isSame = JSON.stringify(first.body) === JSON.stringify(again.body);
      const holds = first.status < 300 && again.status === first.status && isSame && other.status === 409;
      return seen(holds, [first.status, again.status, other.status].join(', '));
    },
  ),
  about('Limits').writes(
    'More than 10 calls a minute for sub-accounts get a 429',
    '429 within 12 calls',
    async (api) => {
      const statuses: number[] = [];
      const sending = { body: { url: 'https://a.example' }, isLimited: true };
      while (statuses.length < 12 && !statuses.includes(429))
        statuses.push((await api.send(`PATCH /v1/submerchants/${nothing}`, sending)).status);
      return seen(statuses.includes(429), statuses.join(', '));
    },
  ),
  refusesForms('Each required field of onboarding PF is required', mapped(required, 'without', undefined)),
  refusesForms('Each field of onboarding PF has its maximum length', tooLong(longest)),
  refusesForms('The fields of onboarding PF have their forms', {
    'document of 10 digits': { document: '5299822472' },
    'birthDate in the Brazilian form': { birthDate: '28/02/1990' },
    'phone not in E.164': { phone: '11912345678' },
    'email without @': { email: 'maria' },
  }),
  refusesForms('The front of the identity card needs its back', {
    'front alone': { cnhCompleta: undefined, documentoFrente: picture() },
    'back alone': { cnhCompleta: undefined, documentoVerso: picture() },
  }),
  refusesForms('selfieComDocumento is not taken for the selfie', {
    'the old field': { selfie: undefined, selfieComDocumento: picture() },
  }),
  refusesForms(
    'Every field of the bank account is required',
    banks(mapped(Object.keys(bank), 'without', undefined)),
  ),
  refusesForms('Each field of the bank account has its form and its maximum length', {
    ...banks(tooLong(longestBank)),
    ...banks({
      'another type': { bankAccountType: 'corrente' },
      'bankCode of letters': { bankCode: 'abc' },
      'ispb of letters': { ispb: 'abcdefgh' },
      'a number': { bankAccount: 12_345 },
    }),
    'no JSON': { bankAccount: 'conta 12345' },
  }),
  subAccounts.writes(
    'The front and the back of the identity card are accepted instead of the licence',
    '202',
    async (api) => {
      const sides = { documentoFrente: picture(), documentoVerso: picture() };
      const body = person({ cnhCompleta: undefined, ...sides });
      return statusIs(await api.send(pf, { body, key: newKey() }), 202);
    },
  ),
  subAccounts.refuses('write', 'The keys of sub-accounts and onboarding are UUIDs', () => [
    [register, register, { body: aSubAccount(), key: 'order-1042' }],
    ['PF', pf, { body: person(), key: 'order-1042' }],
    ['PJ', pj, { body: form({ cnpj: '11222333000181' }), key: 'order-1042' }],
    ['PJ without a key', pj, { body: form({ cnpj: '11222333000181' }) }],
  ]),
  subAccounts.writes(
    'Onboarding PJ returns 202 with registration_id and status',
    '202, registration_id, status',
    async (api) => {
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
  ),
  subAccounts.reads(
    'internalId of an update is a UUID, withdrawId an integer',
    'refused (4xx)',
    async (api) => {
      const responses = [
        await api.send('PATCH /v1/submerchants/none', { body: { phone: '+5511912345678' } }),
        await api.send('GET /v1/submerchants/withdrawals/none'),
        await api.send(`GET /v1/submerchants/withdrawals/${nothing}`),
      ];
      return seen(
        responses.every((response) => isRejected(response).holds),
        responses.map(({ status }) => status).join(', '),
      );
    },
  ),
  onAccount('An update of one field is accepted', '2xx', async (api, update) => {
    const response = await api.send(update, { body: { phone: '+5511987654321' } });
    return seen(isSuccess(response), response.status);
  }),
  onAccount('Each field of an update has its maximum length', 'refused (4xx)', (api, update) =>
    checkAllRejected(
      api,
      Object.entries(tooLong(longestUpdate)).map(([label, body]) => [label, update, { body }]),
    ),
  ),
  onAccount('An update cannot change the status or bank data', 'refused (4xx)', (api, update) =>
    checkAllRejected(api, [
      ['status', update, { body: { status: 'inactive' } }],
      ['bankAccount', update, { body: { bankAccount: bank } }],
    ]),
  ),
];
