import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../index.js';
import {
  bankAccount,
  call,
  fetchOnboardingStatus,
  form,
  keyNo,
  naturalPerson,
  onboard,
  sandboxForTest,
  startOfYear,
  unknownId,
} from '../support.js';

const resend = (
  sandbox: Sandbox,
  id: string,
  fields: Parameters<typeof form>[0] = { selfie: new Uint8Array([9]) },
) => call(sandbox, `/v2/submerchants/onboarding/${id}/resend-documents`, { body: form(fields) });

const submitted = async (options: Parameters<typeof sandboxForTest>[0] = {}) => {
  const sandbox = sandboxForTest(options);
  const id = String((await onboard(sandbox)).body.registration_id);
  const status = async () => (await fetchOnboardingStatus(sandbox, id)).body;
  return { sandbox, id, status, control: sandbox.control.onboarding };
};

describe('an onboarding submission', () => {
  test('returns a 202 with the status submitted for a natural person', async () => {
    const sandbox = sandboxForTest();
    const reply = await onboard(sandbox);
    expect(reply.status).toBe(202);
    const { registration_id } = reply.body;
    expect(reply.body).toEqual({
      registration_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'submitted',
    });
    expect((await fetchOnboardingStatus(sandbox, registration_id)).body).toEqual({
      ...reply.body,
      can_resubmit: false,
    });
    const { cnhCompleta: _, selfie: __, ...fields } = naturalPerson;
    expect(sandbox.control.onboarding.list()).toEqual([
      {
        ...reply.body,
        kind: 'pf',
        externalId: keyNo(1),
        can_resubmit: false,
        reason: undefined,
        internalId: undefined,
        createdAt: startOfYear,
        fields: { ...fields, bankAccount },
      },
    ]);
  });

  test('requires no fields for a legal entity', async () => {
    const sandbox = sandboxForTest();
    const path = '/v2/submerchants/onboarding/pj';
    const company = form({ cnpj: '12345678000195', cartaoCnpj: new Uint8Array([7]) });
    const [one, other] = [
      await call(sandbox, path, { body: company, key: keyNo(1) }),
      await call(sandbox, path, { body: form({ anything: 'else' }), key: keyNo(2) }),
    ];
    expect([one.status, other.status]).toEqual([202, 202]);
    const { control } = sandbox;
    const documents = control.onboarding.documents(String(one.body.registration_id));
    expect(documents.cartaoCnpj?.bytes).toEqual(new Uint8Array([7]));
    for (const { body } of [one, other]) control.onboarding.approve(String(body.registration_id));
    expect(control.submerchants.list().map(({ document }) => document)).toEqual([
      { number: '12345678000195', type: 'cnpj' },
      undefined,
    ]);
  });

  test.each([
    ['no document', { cnhCompleta: undefined }, ['cnhCompleta']],
    [
      'the front of a document without its back',
      { cnhCompleta: undefined, documentoFrente: new Uint8Array([1]) },
      ['documentoVerso'],
    ],
    ['no selfie', { selfie: undefined }, ['selfie']],
  ])('returns a 400 with %s', async (_, change, paths) => {
    const fields = Object.entries({ ...naturalPerson, ...change }).filter(([, value]) => value !== undefined);
    const reply = await onboard(sandboxForTest(), Object.fromEntries(fields) as typeof naturalPerson);
    expect([reply.status, reply.body.error?.issues.map(({ path }) => path)]).toEqual([400, paths]);
  });

  test('gets its first response again for its idempotency key, even after the registration was rejected', async () => {
    const { sandbox, id, control } = await submitted();
    control.reject(id);
    sandbox.control.features.disable('paas');
    const again = await onboard(sandbox);
    expect([again.status, again.body]).toEqual([202, { registration_id: id, status: 'submitted' }]);
    expect((await onboard(sandbox, { ...naturalPerson, fullName: 'Other' })).status).toBe(409);
    expect((await onboard(sandbox, naturalPerson, keyNo(2))).status).toBe(403);
    expect(control.list()).toHaveLength(1);
  });

  test('can repeat its idempotency key with a reformatted bank account, but not with a different one', async () => {
    const { sandbox, id } = await submitted();
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(bankAccount).toReversed()), null, 2);
    expect((await onboard(sandbox, { ...naturalPerson, bankAccount: reversed })).body.registration_id).toBe(
      id,
    );
    const other = JSON.stringify({ ...bankAccount, bankAccount: '54321' });
    expect((await onboard(sandbox, { ...naturalPerson, bankAccount: other })).status).toBe(409);
  });
});

describe('the onboarding review', () => {
  test('starts after a minute, and approves after ten minutes', async () => {
    const { sandbox, id, status } = await submitted();
    const seen = [];
    for (const step of ['59s', '1s', '539s', '1s']) {
      await sandbox.clock.advance(step);
      seen.push((await status()).status);
    }
    expect(seen).toEqual(['submitted', 'in_review', 'in_review', 'approved']);
    const { internalId = '' } = sandbox.control.onboarding.retrieve(id);
    expect(sandbox.control.submerchants.retrieve(internalId)).toMatchObject({
      externalId: keyNo(1),
      status: 'active',
      document: { number: '12345678909', type: 'cpf' },
      fields: { fullName: 'João da Silva' },
    });
  });

  test.each([
    ['30s', '30s', 'approved'],
    ['1h', '59m', 'in_review'],
    ['1h', '60m', 'approved'],
    [false, '300d', 'in_review'],
  ] as const)(
    'with approveAfter %j: after %s the registration has the status %s',
    async (approveAfter, wait, expected) => {
      const { sandbox, status } = await submitted({ kyc: { approveAfter } });
      await sandbox.clock.advance(wait);
      expect((await status()).status).toBe(expected);
    },
  );

  test('ends if control.onboarding approves or rejects the registration', async () => {
    const { sandbox, id, status, control } = await submitted();
    expect(control.approve(id)).toMatchObject({ status: 'approved', internalId: expect.any(String) });
    await sandbox.clock.advance('1d');
    expect((await status()).status).toBe('approved');
    expect(sandbox.control.submerchants.list()).toHaveLength(1);
    expect(() => control.approve(id)).toThrow(`Registration ${id} is approved`);
    expect(() => control.reject(id)).toThrow(`Registration ${id} is approved`);
    expect(() => control.approve('unknown')).toThrow("There is no registration 'unknown'");
  });

  test.each<[unknown, string]>([
    [{ can_resubmit: true }, 'can_resubmit is an unknown option. Did you mean canResubmit?'],
    [{ canResubmit: 'yes', reason: 1 }, 'canResubmit must be true or false.\n- reason must be a string.'],
    [true, 'must be an object'],
  ])(
    'continues if control.onboarding.reject throws for the invalid options %j',
    async (rejection, message) => {
      const { id, control } = await submitted();
      const reject = () => control.reject(id, rejection as object);
      expect(reject).toThrow(TypeError);
      expect(reject).toThrow(/^control\.onboarding\.reject/);
      expect(reject).toThrow(message);
      expect(control.retrieve(id).status).toBe('submitted');
    },
  );

  test('does not later approve a registration that was rejected', async () => {
    const { sandbox, id, status, control } = await submitted();
    await sandbox.clock.advance('5m');
    expect(control.reject(id, { canResubmit: true, reason: 'blurred' })).toMatchObject({
      status: 'rejected',
      can_resubmit: true,
      reason: 'blurred',
    });
    await sandbox.clock.advance('1d');
    expect(await status()).toEqual({ registration_id: id, status: 'rejected', can_resubmit: true });
    expect(sandbox.control.submerchants.list()).toEqual([]);
  });
});

describe('a resend of onboarding documents', () => {
  test('replaces documents and restarts the review', async () => {
    const { sandbox, id, status, control } = await submitted();
    control.reject(id, { canResubmit: true });
    const reply = await resend(sandbox, id);
    expect([reply.status, reply.body]).toEqual([202, { registration_id: id, status: 'submitted' }]);
    expect(await status()).toEqual({ registration_id: id, status: 'submitted', can_resubmit: false });
    const { cnhCompleta, selfie } = control.documents(id);
    expect([cnhCompleta?.bytes, selfie?.bytes]).toEqual([new Uint8Array([1, 2, 3]), new Uint8Array([9])]);
    await sandbox.clock.advance('10m');
    expect((await status()).status).toBe('approved');
  });

  test.each(['submitted', 'rejected for good', 'approved'])(
    'returns a 400 if the registration is %s',
    async (state) => {
      const { sandbox, id, control } = await submitted();
      if (state === 'approved') control.approve(id);
      else if (state !== 'submitted') control.reject(id);
      const before = control.documents(id);
      const reply = await resend(sandbox, id);
      expect([reply.status, reply.body.error?.code]).toEqual([400, 'not_resubmittable']);
      expect(control.documents(id)).toEqual(before);
    },
  );

  test('requires an existing registration and an enabled feature', async () => {
    const { sandbox, id, control } = await submitted();
    control.reject(id, { canResubmit: true });
    expect((await resend(sandbox, unknownId)).status).toBe(404);
    sandbox.control.features.disable('paas');
    expect((await resend(sandbox, id)).status).toBe(403);
    expect(control.retrieve(id).status).toBe('rejected');
  });
});

test('control.onboarding.documents returns copies', async () => {
  const { id, control } = await submitted();
  control.documents(id).selfie?.bytes.fill(0);
  expect(control.documents(id).selfie?.bytes).toEqual(naturalPerson.selfie);
});
