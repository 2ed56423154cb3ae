import { expect, test } from 'vitest';
import { diagnose } from '../support/compile.js';

test('extra fields that a platform adds to a payment are typed in find, list, onSettled and create', () => {
  const source = `import { createDurablePayments, memoryPayments, type PaymentRecord } from '../../src/durable/index.js';
import type { PaymentPlatform } from '../../src/index.js';

type Extra = { readonly pix: { readonly qrCode: string } };
declare const platform: PaymentPlatform;
const payments = createDurablePayments(platform, {
  store: memoryPayments(),
  onSettled: (record: PaymentRecord<Extra>) => record.payment?.pix.qrCode.length,
});
export const found: string | undefined = (await payments.find<Extra>('order-1042'))?.payment?.pix.qrCode;
export const listed: string | undefined = (await payments.list<Extra>())[0]?.payment?.pix.qrCode;
export const settled: string | undefined = (await payments.settle<Extra>('order-1042')).record.payment?.pix.qrCode;
`;
  expect(diagnose({ 'test/types/durable.ts': source })).toEqual({ 'test/types/durable.ts': '' });
});
