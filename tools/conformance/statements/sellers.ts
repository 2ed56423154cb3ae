import { type Api, form, newKey, nothing, uuid } from '../api.js';
import { checkFields, isRejected, isText, type Statement, seen, statusIs } from '../statement.js';

import { person, picture } from './seller-forms.js';

const without = (name: keyof ReturnType<typeof person>) => {
  const { [name]: _, ...rest } = person();
  return form(rest);
};

const onboard = 'POST /v2/submerchants/onboarding/pf';

const rejectForm = (
  statement: string,
  request: string,
  body: () => FormData,
  key: () => string | undefined,
) => ({
  section: 'Sub-accounts',
  statement,
  expected: '400',
  need: 'write' as const,
  check: async (api: Api) => {
    const value = key();
    return statusIs(
      await api.send(request, { body: body(), ...(value !== undefined && { key: value }) }),
      400,
    );
  },
});

const aSubAccount = () =>
  form({ documentNumber: '52998224725', documentType: 'cpf', phone: '+5511912345678' });

export const sellerStatements: readonly Statement[] = [
  {
    section: 'Sub-accounts',
    statement: 'A withdrawal of another account is not found',
    expected: '404',
    need: 'read',
    check: async (api) => statusIs(await api.send('GET /v1/submerchants/withdrawals/999999999'), 404),
  },
  {
    section: 'Sub-accounts',
    statement: 'A sub-account of another merchant cannot be updated',
    expected: 'refused (4xx)',
    need: 'read',
    check: async (api) =>
      isRejected(await api.send(`PATCH /v1/submerchants/${nothing}`, { body: { phone: '+5511912345678' } })),
  },
  {
    section: 'Sub-accounts',
    statement: 'The status of an unknown registration cannot be read',
    expected: 'refused (4xx)',
    need: 'read',
    check: async (api) => isRejected(await api.send(`GET /v2/submerchants/onboarding/${nothing}/status`)),
  },
  rejectForm(
    'The key is required on POST /v1/submerchants',
    'POST /v1/submerchants',
    aSubAccount,
    () => undefined,
  ),
  rejectForm(
    'The key is required on onboarding PF',
    onboard,
    () => form(person()),
    () => undefined,
  ),
  rejectForm('The selfie is required', onboard, () => without('selfie'), newKey),
  rejectForm('The document is required', onboard, () => without('document'), newKey),
  rejectForm('An identity document is required', onboard, () => without('cnhCompleta'), newKey),
  {
    section: 'Errors',
    statement: 'Onboarding returns 202; the same key and payload the same response; another payload 409',
    expected: '202, 202, 409',
    need: 'write',
    check: async (api) => {
      const key = newKey();
      const first = await api.send(onboard, { body: form(person()), key });
      const again = await api.send(onboard, { body: form(person()), key });
      const other = await api.send(onboard, { body: form(person({ fullName: 'Another Name' })), key });
      const { holds } = checkFields(first, {
        registration_id: (value) => uuid.test(String(value)),
        status: isText,
      });
      const isSame = first.body?.registration_id === again.body?.registration_id;
      const statuses = [first.status, again.status, other.status];
      return seen(holds && isSame && statuses.join() === '202,202,409', statuses.join(', '));
    },
  },
  {
    section: 'Sub-accounts',
    statement: 'The status query has can_resubmit; documents are resent only when it is true',
    expected: 'a boolean; refused while it is false',
    need: 'write',
    check: async (api) => {
      const { body } = await api.send(onboard, { body: form(person()), key: newKey() });
      const path = `/v2/submerchants/onboarding/${body?.registration_id}`;
      const status = await api.send(`GET ${path}/status`);
      const can = status.body?.can_resubmit;
      if (can !== false) return seen(can === true, `can_resubmit ${JSON.stringify(can)}`);
      const resent = await api.send(`POST ${path}/resend-documents`, { body: form({ selfie: picture() }) });
      return seen(isRejected(resent).holds, `can_resubmit false, ${resent.status}`);
    },
  },
  {
    section: 'Errors',
    statement: 'Sub-account creation: the same key and payload the same response; another payload 409',
    expected: '2xx twice, 409',
    need: 'write',
    check: async (api) => {
      const key = newKey();
      const send = (body: FormData) => api.send('POST /v1/submerchants', { body, key });
      const [first, again] = [await send(aSubAccount()), await send(aSubAccount())];
      const other = await send(
        form({ documentNumber: '52998224725', documentType: 'cpf', phone: '+5511987654321' }),
      );
      const isSame = JSON.stringify(first.body) === JSON.stringify(again.body);
      const holds = first.status < 300 && again.status === first.status && isSame && other.status === 409;
      return seen(holds, [first.status, again.status, other.status].join(', '));
    },
  },
  {
    section: 'Limits',
    statement: 'More than 10 calls a minute for sub-accounts get a 429',
    expected: '429 within 12 calls',
    need: 'write',
    check: async (api) => {
      const statuses: number[] = [];
      while (statuses.length < 12 && !statuses.includes(429)) {
        const { status } = await api.send(`PATCH /v1/submerchants/${nothing}`, {
          body: { url: 'https://a.example' },
          isLimited: true,
        });
        statuses.push(status);
      }
      return seen(statuses.includes(429), statuses.join(', '));
    },
  },
];
