import { afterAll, describe, expect, test } from 'vitest';
import { catchError } from '../support/engines.js';
import { RepositoryCopy, readSteps } from '../support/guides.js';
import { load } from '../support/load.js';
import { openCard } from '../support/payments.js';

/** The tests that cover every operation and payment method: SDK, sandbox, samples, pages, types and conformance. */
const coverage = [
  'test/conformance/table.test.ts',
  'test/contract/coverage.test.ts',
  'test/contract/generated.test.ts',
  'test/contract/least.test.ts',
  'test/docs/api-references.test.ts',
  'test/docs/generated-pages.test.ts',
  'test/docs/method-samples.test.ts',
  'test/docs/openapi.test.ts',
  'test/docs/operations.test.ts',
  'test/docs/pages.test.ts',
  'test/docs/postman.test.ts',
  'test/docs/translations.test.ts',
  'test/resources/wire.test.ts',
  'test/transport/response/every-shape.test.ts',
  'sandbox/test/testing/samples.test.ts',
  'test/contract/payment-request.test.ts',
  'test/newcomer-mistakes.test.ts',
  'test/types/contract.test.ts',
  'test/types/editor.test.ts',
  'test/types/mistakes.test.ts',
  'sandbox/test/cli/payments.test.ts',
  'sandbox/test/page/texts.test.ts',
];

/** Milliseconds for generating, compiling or testing a copy, on a machine that also runs other tests. */
const longest = 900_000;

describe('the guides of docs/maintainers/, followed one after the other', () => {
  const endpointSteps = readSteps('add-an-endpoint');
  const methodSteps = readSteps('add-a-payment-method');
  const copy = new RepositoryCopy();
  afterAll(() => copy.remove());

  test('add-an-endpoint.md has seven steps, which change seven files by hand', () => {
    expect(endpointSteps).toHaveLength(7);
    expect(new Set(endpointSteps.map(({ path }) => path)).size).toBe(7);
  });

  test('add-an-endpoint.md begins with steps, and npm run generate then names everything that is missing', () => {
    for (const step of endpointSteps.slice(0, 2)) copy.apply(step);
    const { output, status } = copy.generate();
    expect(status).toBe(1);
    expect(output).toContain(`payments.refund has no schemas in src/contract/payments/schemas.ts.
payments.refund has no method in src/resources/payments.ts.
payments.refund has no handler in sandbox/http/handlers/.
payments.refund has no record in test/operations/payments.ts.
tools/docs/portuguese.json has no translation of:
RefundPayment.amount: Cents. Default: the whole amount.
RefundPayment: The body of POST /v1/payments/{id}/refund.`);
  });

  test(
    'end with a repository that compiles',
    () => {
      for (const step of [...endpointSteps.slice(2), ...methodSteps]) copy.apply(step);
      const keys = [
        ...['Payments.refund', 'RefundPayment*', 'operations.payments.refund'],
        ...['PixAutomaticoPayment*', 'command.any command --pix-automatico'],
      ];
      expect(copy.generate('--translated', ...keys)).toMatchObject({ status: 0 });
      expect(copy.compile()).toEqual({ output: '', status: 0 });
    },
    longest,
  );

  test.skipIf(load === 1)(
    'end with a repository whose tests pass (needs LOAD, as each night)',
    () => expect(copy.test(...coverage)).toBe(''),
    longest,
  );

  test('add an endpoint that works with the sandbox, also in a retry with the same idempotency key', async () => {
    const { PaymentPlatform, responseOf } = await copy.import('src/index.ts');
    const { createSandbox } = await copy.import('sandbox/index.ts');
    const sandbox = createSandbox({ fieldNames: { 'payment.refusalReason': 'why' } });
    const platform = new PaymentPlatform(sandbox.clientOptions());
    const { id } = await platform.payments.create(openCard);
    sandbox.faults.add({ operation: 'payments.refund', phase: 'after-commit', fault: 'reset' });
    const refunded = await platform.payments.refund(id, { amount: 500 });
    expect(refunded).toMatchObject({ id, status: 'refunded' });
    const { idempotencyKey, attempts } = responseOf(refunded);
    expect(attempts).toBe(2);
    expect(await platform.payments.refund(id, { amount: 500 }, { idempotencyKey })).toEqual(refunded);
    const reused = await catchError(platform.payments.refund(id, { amount: 400 }, { idempotencyKey }));
    expect(reused).toMatchObject({ name: 'IdempotencyConflictError', outcome: 'not-executed' });
    const wrong = await catchError(platform.payments.refund('no-uuid', { amount: '5' }));
    expect(wrong).toMatchObject({ name: 'ValidationError', issues: [{ path: 'id' }, { path: 'amount' }] });
    await sandbox.close();
  });

  test('give a repository that does not compile without a step about the method’s behaviour', () => {
    const forgotten = [
      'src/contract/payments/methods.ts',
      'sandbox/payments/methods.ts',
      'sandbox/cli/commands/payments.ts',
    ];
    for (const path of forgotten) copy.restore(path);
    for (const step of endpointSteps) if (forgotten.includes(step.path)) copy.apply(step);
    const { output } = copy.compile(forgotten);
    for (const path of forgotten) expect(output).toContain(path);
    for (const step of methodSteps) if (forgotten.includes(step.path)) copy.apply(step);
  });

  test('add a method that the client checks, and that the sandbox pays and expires', async () => {
    const { PaymentPlatform } = await copy.import('src/index.ts');
    const { createSandbox } = await copy.import('sandbox/index.ts');
    const { createSamples } = await copy.import('sandbox/testing/index.ts');
    const sandbox = createSandbox({ responses: { pixCode: 'pix.code' } });
    const platform = new PaymentPlatform(sandbox.clientOptions());
    const order = createSamples().payments.pixAutomatico();
    const payment = await platform.payments.create(order);
    expect(payment).toMatchObject({ paymentMethod: 'pix_automatico', pix: { code: expect.any(String) } });
    const { expiresAt, pix } = sandbox.control.payments.details(payment.id);
    expect(pix).toBeDefined();
    // The sandbox's clock runs between both times.
    expect((Date.parse(expiresAt) - Date.parse(payment.createdAt)) / 1_000).toBeCloseTo(1_800, 0);
    const misplaced = { ...openCard, pixAutomatico: { frequency: 'monthly' } };
    const wrong = await catchError(platform.payments.create(misplaced));
    expect(wrong).toMatchObject({
      issues: [{ path: 'pixAutomatico', message: "is only allowed with paymentMethod 'pix_automatico'" }],
    });
    const incomplete = { ...order, customer: undefined, card: openCard.card };
    expect(await catchError(platform.payments.create(incomplete))).toMatchObject({
      issues: [{ path: 'card' }, { path: 'customer' }],
    });
    await sandbox.close();
  });
});
