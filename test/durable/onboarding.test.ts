import { createReadStream } from 'node:fs';
import { PaymentPlatform } from 'payment-platform';
import {
  createDurableOnboarding,
  type DurableRecord,
  type DurableRequestOptions,
  memoryPayments,
  type PaymentRow,
} from 'payment-platform/durable';
import { describe, expect, test, vi } from 'vitest';
import { sandboxForTest } from '../../sandbox/test/support.js';
import { createSealer } from '../../src/auth/sealed-text.js';
import { computeMerchant } from '../../src/durable/merchant-store.js';
import { RowCodec } from '../../src/durable/payload.js';
import { rejection } from '../support/durable.js';
import { jpeg, pdf, pf } from '../support/onboarding.js';

const key = '3f1c9b0e-6a52-4c07-9d3e-5b8f2a7c1d40';
const encryptionKeys = new Uint8Array(32).fill(7);

/** A sandbox, and durable onboarding with a clock that the test advances. */
function setUp(options: Partial<DurableRequestOptions> = {}) {
  const sandbox = sandboxForTest({ rateLimits: false });
  const platform = new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 });
  const clock = { now: Date.UTC(2026, 0, 1) };
  const ended: DurableRecord[] = [];
  const store = options.store ?? memoryPayments({ now: () => clock.now });
  const onboarding = createDurableOnboarding(platform, {
    encryptionKeys,
    onSettled: (record) => ended.push(record),
    onFailed: (record) => ended.push(record),
    onGivenUp: (record) => ended.push(record),
    onError: () => undefined,
    ...options,
    store,
  });
  return { sandbox, platform, clock, store, onboarding, ended };
}

/** A Blob whose file on the disk has changed. */
function brokenBlob(): Blob {
  const blob = new Blob([pdf]);
  blob.arrayBuffer = () => Promise.reject(new Error('EACCES /home/ana/cpf.pdf'));
  return blob;
}

describe('a durable registration', () => {
  test.each(['submitPf', 'enqueuePf'] as const)(
    'contains the form and the bytes as they were when %s was called',
    async (method) => {
      const { onboarding, platform, store } = setUp();
      const selfie = Buffer.from(jpeg);
      const form = structuredClone({ ...pf, selfie: undefined }) as unknown as typeof pf;
      Object.assign(form, { selfie: { content: selfie, filename: 'selfie.jpg', contentType: 'image/jpeg' } });
      const account = String(form.bankAccount.bankAccount);
      const recorded = onboarding[method](form, { key });
      selfie.fill(0);
      form.bankAccount.bankAccount = '999999';
      await recorded;
      const row = await store.find(`${await computeMerchant(platform.merchant)}:onboarding`, key);
      const codec = new RowCodec<{ files: object }, object>(
        createSealer('test', encryptionKeys),
        ':onboarding',
      );
      expect(await codec.readPayload(row as PaymentRow)).toMatchObject({
        files: { selfie: { content: Buffer.from(jpeg).toString('base64') } },
        fields: { bankAccount: { bankAccount: account } },
      });
    },
  );

  test('survives a lost response with its key and the same files, and exists once', async () => {
    const { sandbox, onboarding, clock, ended } = setUp();
    sandbox.faults.add({ operation: 'onboarding.submitPf', phase: 'after-commit', fault: 'reset' });
    expect(await rejection(onboarding.submitPf(pf, { key }))).toMatchObject({
      name: 'DurableRequestError',
      outcome: 'unknown',
      record: { state: 'unknown', inDoubt: true },
    });
    clock.now += 60_000;
    expect(await onboarding.settleDue()).toBe(1);
    const { result, record } = await onboarding.settle(key);
    expect(record).toMatchObject({ state: 'settled', attempts: 2, inDoubt: false });
    expect(sandbox.control.onboarding.list()).toMatchObject([{ registration_id: result.registration_id }]);
    const bodies = sandbox.journal.requests.map(({ bodyDigest, idempotencyKey }) => [
      bodyDigest,
      idempotencyKey,
    ]);
    expect(bodies[0]).toEqual(bodies[1]);
    expect(ended).toHaveLength(1);
  });

  test('may have been executed if it ended in doubt and was then cancelled', async () => {
    const { sandbox, onboarding, clock } = setUp({ giveUpAfter: 60_000 });
    sandbox.faults.add({ operation: 'onboarding.submitPf', phase: 'after-commit', fault: 'reset', times: 9 });
    await rejection(onboarding.submitPf(pf, { key }));
    clock.now += 120_000;
    await onboarding.settleDue();
    expect(await onboarding.find(key)).toMatchObject({ state: 'given_up' });
    expect(await onboarding.cancel(key)).toBe(true);
    const error = await rejection(onboarding.settle(key));
    expect(error).toMatchObject({
      outcome: 'unknown',
      record: { state: 'failed', error: { name: 'DurableRequestError', code: 'cancelled' } },
    });
    expect(error.message).toContain(`The registration ${key} may have been executed.`);
    expect(error.message).not.toContain('was not executed');
  });

  test.each(['submitPf', 'enqueuePf'] as const)(
    'rejects %s with the error of a getter, unchanged',
    async (method) => {
      const { onboarding } = setUp();
      const own = new RangeError('mine');
      const form = Object.defineProperty({ ...pf }, 'fullName', {
        enumerable: true,
        get: () => {
          throw own;
        },
      });
      expect(await rejection(onboarding[method](form, { key }))).toBe(own);
    },
  );

  test('names itself in the messages about options and failures', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { onboarding, store } = setUp({ onError: undefined });
    const options = { limits: 1 } as object;
    expect((await rejection(onboarding.list(options))).message).toContain('durable registrations, list');
    expect((await rejection(onboarding.settleDue(options))).message).toContain(
      'durable registrations, settleDue',
    );
    expect((await rejection(onboarding.adopt(options as never))).message).toContain(
      'durable registrations, adopt',
    );
    store.claim = () => Promise.reject(new Error('the database is gone'));
    const controller = new AbortController();
    const running = onboarding.run({ signal: controller.signal, pollInterval: 1 });
    await expect.poll(() => print.mock.calls.length).toBeGreaterThan(0);
    controller.abort();
    await running;
    expect(print.mock.calls[0]?.[0]).toBe('payment-platform: durable registrations: claim failed:');
  });

  test('whose process died while sending is sent again after the lease', async () => {
    const { sandbox, onboarding, store, clock } = setUp();
    const { update } = store;
    store.update = () => Promise.reject(new Error('dead'));
    await onboarding.submitPf(pf, { key });
    store.update = update;
    clock.now += 60_000;
    expect(await onboarding.settleDue()).toBe(1);
    expect(await onboarding.find(key)).toMatchObject({ state: 'settled', attempts: 2 });
    expect(sandbox.control.onboarding.list()).toHaveLength(1);
  });

  test.each([
    ['bytes', pdf],
    ['an ArrayBuffer', pdf.slice().buffer],
    ['a Blob', new Blob([pdf], { type: 'application/pdf' })],
    ['a File', new File([pdf], 'cnh.pdf', { type: 'application/pdf' })],
    ['a named file', { content: pdf, filename: 'cnh.pdf', contentType: 'application/pdf' }],
    ['multer’s file in memory', { buffer: pdf, originalname: 'cnh.pdf', mimetype: 'application/pdf' }],
  ])('sends the same form as the client for a file that is %s', async (_, cnhCompleta) => {
    const { sandbox, onboarding, platform } = setUp();
    await onboarding.submitPf({ ...pf, cnhCompleta } as typeof pf, { key });
    await platform.onboarding.submitPf({ ...pf, cnhCompleta } as typeof pf);
    const [recorded, direct] = sandbox.journal.requests.map(({ bodyDigest }) => bodyDigest);
    expect(recorded).toBe(direct);
  });

  test('with a large file is recorded byte for byte', async () => {
    const { sandbox, onboarding, platform } = setUp();
    const large = Uint8Array.from({ length: 3_000_001 }, (_, index) => (index * 7) % 256);
    large.set(jpeg.subarray(0, 4));
    await onboarding.enqueuePf({ ...pf, selfie: large }, { key });
    await onboarding.settleDue();
    await platform.onboarding.submitPf({ ...pf, selfie: large });
    const [recorded, direct] = sandbox.journal.requests.map(({ bodyDigest }) => bodyDigest);
    expect(recorded).toBe(direct);
  });

  test.each([
    ['a path', './cnh.pdf', 'await readFile'],
    ['a file URL', new URL('file:///cnh.pdf'), 'await readFile'],
    ['a stream', createReadStream('/dev/null'), 'await readFile'],
    ['21 MiB', new Uint8Array(21 * 2 ** 20), 'at most 20971520'],
    ['empty', new Uint8Array(), 'is empty'],
    ['a Blob that cannot be read', brokenBlob(), 'could not be read'],
  ])('is not recorded with a file that is %s', async (_, cnhCompleta, words) => {
    const { onboarding, sandbox } = setUp();
    const error = await rejection(onboarding.submitPf({ ...pf, cnhCompleta } as typeof pf, { key }));
    expect(error).toMatchObject({ name: 'ValidationError' });
    expect(error.message).toContain(words);
    expect(await onboarding.list()).toEqual([]);
    expect(sandbox.journal.requests).toEqual([]);
  });

  test.each([
    ['a wrong CPF', { ...pf, document: '12345678900' }, key, 'document'],
    ['a key that is no UUID v4', pf, 'seller-7', 'UUID v4'],
    ['no selfie', { ...pf, selfie: undefined }, key, 'selfie'],
    ['no form', undefined, key, 'form'],
  ])('is not recorded with %s', async (_, form, otherKey, words) => {
    const { onboarding } = setUp();
    const error = await rejection(onboarding.submitPf(form as typeof pf, { key: otherKey }));
    expect(error).toMatchObject({ name: 'ValidationError' });
    expect(error.message).toContain(words);
    expect(await onboarding.list()).toEqual([]);
  });

  test('stores no personal data in the open, and erases it after forget', async () => {
    const { onboarding, store, platform } = setUp();
    await onboarding.submitPf(pf, { key });
    const merchant = `${await computeMerchant(platform.merchant)}:onboarding`;
    const row = await store.find(merchant, key);
    expect(JSON.stringify(row)).not.toMatch(/Souza|12345678909|registration_id/);
    expect(await onboarding.forget(key)).toBe(true);
    expect(await store.find(merchant, key)).toMatchObject({ payload: null });
    expect((await onboarding.find(key))?.result).toEqual({
      registration_id: expect.any(String),
      status: 'submitted',
    });
  });

  test('that the platform rejects has failed, and can be sent again', async () => {
    const { sandbox, onboarding, ended } = setUp();
    sandbox.faults.add({ operation: 'onboarding.submitPf', fault: { status: 400 } });
    expect(await rejection(onboarding.submitPf(pf, { key }))).toMatchObject({
      outcome: 'not-executed',
      record: { state: 'failed' },
    });
    expect(ended).toMatchObject([{ key, state: 'failed', error: { status: 400 } }]);
    expect(await onboarding.retry(key)).toBe(true);
    expect(await onboarding.settle(key)).toMatchObject({ record: { state: 'settled' } });
  });

  test('of a company is sent with its own form', async () => {
    const { sandbox, onboarding } = setUp();
    const company = { cnpj: '11222333000181', contratoSocial: pdf };
    const { result } = await onboarding.submitPj(company, { key });
    expect(sandbox.control.onboarding.list()).toMatchObject([{ registration_id: result.registration_id }]);
    expect(await rejection(onboarding.submitPf(pf, { key }))).toMatchObject({
      name: 'IdempotencyConflictError',
    });
  });
});
