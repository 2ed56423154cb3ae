import { describe, expect, test } from 'vitest';
import { call, form, keyNo, sandboxForTest, startOfYear, subAccount, unknownId } from '../../support.js';

const path = '/v1/submerchants';
const create = (target: Parameters<typeof call>[0], fields: Parameters<typeof form>[0], key = keyNo(1)) =>
  call(target, path, { body: form(fields), key });

const company = { documentNumber: '12ABC34501DE35', documentType: 'cnpj', phone: '+551130000000' };

describe('POST /v1/submerchants', () => {
  test('creates an active sub-account, with the idempotency key as its externalId', async () => {
    const sandbox = sandboxForTest();
    const reply = await create(sandbox, { ...company, companyName: 'Loja', logo: new Uint8Array([1]) });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      internalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalId: keyNo(1),
      status: 'active',
    });
    expect(sandbox.control.submerchants.retrieve(String(reply.body.internalId))).toEqual({
      ...reply.body,
      document: { number: '12ABC34501DE35', type: 'cnpj' },
      createdAt: startOfYear,
      fields: { ...company, companyName: 'Loja' },
    });
  });

  test.each([
    ['12345678909', 'cpf'],
    ['12345678000195', 'cnpj'],
  ])(
    'stores the document %s with the type %s if the form has no documentType',
    async (documentNumber, type) => {
      const sandbox = sandboxForTest();
      await create(sandbox, { documentNumber });
      expect(sandbox.control.submerchants.list()[0]?.document).toEqual({ number: documentNumber, type });
    },
  );

  test('requires a UUID v4 as the idempotency key', async () => {
    const sandbox = sandboxForTest();
    const without = await call(sandbox, path, { body: form(company) });
    expect(without.body.error?.issues).toEqual([{ path: 'x-idempotency-key', message: 'is required' }]);
    for (const key of ['', 'key', '00000000-0000-1000-8000-000000000001', `${keyNo(1)}0`]) {
      const reply = await create(sandbox, company, key);
      expect(reply.status).toBe(400);
      expect(reply.body.error?.issues).toEqual([{ path: 'x-idempotency-key', message: 'must be a UUID v4' }]);
    }
    expect(sandbox.control.submerchants.list()).toEqual([]);
  });
});

describe('the idempotency key of POST /v1/submerchants', () => {
  test('returns the first response again for the same payload, whatever has changed since then', async () => {
    const sandbox = sandboxForTest();
    const first = await create(sandbox, company);
    sandbox.control.submerchants.setStatus(String(first.body.internalId), 'inactive');
    await sandbox.clock.advance('30d');
    const reversed = Object.fromEntries(Object.entries(company).toReversed());
    for (const fields of [company, reversed]) {
      const again = await create(sandbox, fields);
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
    expect(sandbox.control.submerchants.list()).toHaveLength(1);
  });

  const file = (content: string, name: string, type: string) => new File([content], name, { type });
  const sent = { ...company, contract: file('same', 'a.pdf', 'application/pdf') };

  test('allows a retry whose files have the same bytes, names and types, even if its form boundary differs', async () => {
    const sandbox = sandboxForTest();
    const first = await create(sandbox, sent);
    const same = { ...company, contract: file('same', 'a.pdf', 'application/pdf') };
    expect((await create(sandbox, same)).body).toEqual(first.body);
  });

  test.each([
    ['another string', { ...sent, phone: '+551140000000' }],
    ['a further field', { ...sent, email: 'a@b.c' }],
    ['a missing field', company],
    ['other bytes', { ...company, contract: file('diff', 'a.pdf', 'application/pdf') }],
    ['another file name', { ...company, contract: file('same', 'b.pdf', 'application/pdf') }],
    ['another file type', { ...company, contract: file('same', 'a.pdf', 'image/png') }],
    ['an invalid payload', { ...sent, documentNumber: 'x' }],
  ])('causes a 409 if it is reused with %s', async (_, fields) => {
    const sandbox = sandboxForTest();
    await create(sandbox, sent);
    const reply = await create(sandbox, fields);
    expect([reply.status, reply.body.error?.code]).toEqual([409, 'idempotency_key_reused']);
    expect(sandbox.control.submerchants.list()).toHaveLength(1);
  });

  test('can be used again after a rejection or a before-commit fault', async () => {
    const sandbox = sandboxForTest();
    expect((await create(sandbox, { documentNumber: 'x' })).status).toBe(400);
    sandbox.faults.add({ operation: 'submerchants.create', fault: { status: 503 } });
    expect((await create(sandbox, company)).status).toBe(503);
    expect((await create(sandbox, company)).status).toBe(201);
  });

  test('lets a retry receive the response that was lost', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'submerchants.create', phase: 'after-commit', fault: 'reset' });
    await expect(create(sandbox, company)).rejects.toThrow('fetch failed');
    const [account] = sandbox.control.submerchants.list();
    expect((await create(sandbox, company)).body.internalId).toBe(account?.internalId);
  });

  test('creates only one sub-account for many concurrent requests', async () => {
    const sandbox = sandboxForTest({ rateLimits: false });
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(sandbox, sent)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.internalId}`)).size).toBe(1);
    expect(sandbox.control.submerchants.list()).toHaveLength(1);
  });

  test('causes a 409 if it is reused in a different operation', async () => {
    const sandbox = sandboxForTest();
    await create(sandbox, company);
    const reply = await call(sandbox, '/v2/submerchants/onboarding/pj', {
      body: form(company),
      key: keyNo(1),
    });
    expect(reply.status).toBe(409);
  });
});

describe('PATCH /v1/submerchants/{internalId}', () => {
  test('changes only the fields that are sent', async () => {
    const sandbox = sandboxForTest();
    const internalId = await subAccount(sandbox, '12345678909');
    const update = (body: object) => call(sandbox, `${path}/${internalId}`, { method: 'PATCH', body });
    const reply = await update({ phone: '1', addressState: 'RJ' });
    expect([reply.status, reply.body]).toEqual([
      200,
      { internalId, externalId: keyNo(100), status: 'active' },
    ]);
    await update({ phone: '2' });
    expect(sandbox.control.submerchants.retrieve(internalId).fields).toEqual({
      documentNumber: '12345678909',
      phone: '2',
      addressState: 'RJ',
    });
  });

  test.each([
    [{ addressState: 'RIO' }, ['addressState']],
    [{ status: 'active', bankAccount: '1' }, ['status', 'bankAccount']],
  ])('returns a 400 for %j', async (body, paths) => {
    const sandbox = sandboxForTest();
    const reply = await call(sandbox, `${path}/${await subAccount(sandbox, '12345678909')}`, {
      method: 'PATCH',
      body,
    });
    expect([reply.status, reply.body.error?.issues.map((issue) => issue.path)]).toEqual([400, paths]);
  });

  test('returns a 404 for an unknown sub-account', async () => {
    const reply = await call(sandboxForTest(), `${path}/${unknownId}`, {
      method: 'PATCH',
      body: { phone: '1' },
    });
    expect(reply.status).toBe(404);
  });
});

describe('a withdrawal', () => {
  const withdraw = (target: Parameters<typeof call>[0], body: object) =>
    call(target, `${path}/withdrawals`, { body });

  test('stays pending until control.withdrawals completes or fails it', async () => {
    const sandbox = sandboxForTest();
    const internalId = await subAccount(sandbox, '12345678909');
    const { control } = sandbox;
    const ids: number[] = [];
    for (const amount of [100, 200]) {
      const reply = await withdraw(sandbox, { internalId, amount });
      expect([reply.status, reply.body]).toEqual([
        201,
        { withdraw_id: expect.any(Number), status: 'pending' },
      ]);
      ids.push(Number(reply.body.withdraw_id));
    }
    const [first = 0, second = 0] = ids;
    const status = async (id: number) => (await call(sandbox, `${path}/withdrawals/${id}`)).body;
    expect(await status(first)).toEqual({ withdraw_id: first, status: 'pending' });
    expect(control.withdrawals.complete(first)).toEqual({
      withdraw_id: first,
      status: 'completed',
      internalId,
      amount: 100,
      createdAt: startOfYear,
    });
    control.withdrawals.fail(second);
    expect([(await status(first)).status, (await status(second)).status]).toEqual(['completed', 'failed']);
    expect(() => control.withdrawals.fail(first)).toThrow(`Withdrawal ${first} is completed`);
    expect(control.withdrawals.list().map(({ withdraw_id }) => withdraw_id)).toEqual(ids);
    expect(() => control.withdrawals.retrieve(7)).toThrow('There is no withdrawal 7');
  });

  test('has an id that is unique across merchants', async () => {
    const sandbox = sandboxForTest();
    const ids = [];
    for (const target of [sandbox, sandbox.addMerchant()]) {
      const internalId = await subAccount(target, '12345678909');
      ids.push((await withdraw(target, { internalId, amount: 1 })).body.withdraw_id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    [{}, ['internalId', 'amount']],
    [{ internalId: unknownId, amount: 0 }, ['amount']],
    [{ internalId: unknownId, amount: 1.5 }, ['amount']],
  ])('returns a 400 for %j', async (body, paths) => {
    const reply = await withdraw(sandboxForTest(), body);
    expect([reply.status, reply.body.error?.issues.map((issue) => issue.path)]).toEqual([400, paths]);
  });

  test('requires an active sub-account', async () => {
    const sandbox = sandboxForTest();
    expect((await withdraw(sandbox, { internalId: unknownId, amount: 1 })).status).toBe(404);
    const internalId = await subAccount(sandbox, '12345678909');
    sandbox.control.submerchants.setStatus(internalId, 'inactive');
    expect((await withdraw(sandbox, { internalId, amount: 1 })).status).toBe(400);
    expect(() => sandbox.control.submerchants.setStatus(internalId, 'gone' as never)).toThrow(TypeError);
    expect(() => sandbox.control.submerchants.retrieve('unknown')).toThrow(
      "There is no sub-account 'unknown'",
    );
  });
});
