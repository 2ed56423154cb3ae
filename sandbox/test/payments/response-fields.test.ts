import { expect, test } from 'vitest';
import { PaymentPlatform } from '../../../src/index.js';
import { modulo11 } from '../../payments/boleto.js';
import { samples } from '../../testing/index.js';
import { boleto, openCard, pay, pix, sandboxForTest } from '../support.js';

const responses = {
  pixCode: 'pix.qrCode',
  pixExpiresAt: 'pix.expiresAt',
  boletoLine: 'boleto.line',
  boletoBarcode: 'barcode',
  boletoUrl: 'boleto.link.pdf',
  boletoDueDate: 'boleto.due',
};

test('the option responses adds the Pix code to a Pix’s first response and to its replay', async () => {
  const sandbox = sandboxForTest({ responses });
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const [order, key] = [samples.payments.pix({ amount: 1990 }), { idempotencyKey: 'order-1' }];
  const payment = await platform.payments.create<{ pix: { qrCode: string; expiresAt: string } }>(order, key);
  const details = sandbox.control.payments.details(payment.id);
  expect(payment.pix).toEqual({ qrCode: details.pix?.copyAndPaste, expiresAt: details.expiresAt });
  expect(payment.pix.qrCode).toMatch(/^000201.*540519\.90.*6304[0-9A-F]{4}$/);
  await expect(platform.payments.create(order, key)).resolves.toEqual(payment);
  platform.close();
});

test('the response to a boleto contains its digitable line, its barcode and a link that a browser opens', async () => {
  const sandbox = sandboxForTest({ responses });
  const server = await sandbox.listen();
  const { body } = await pay(server, boleto(), 'key');
  const { line, due, link } = body.boleto as { line: string; due: string; link: { pdf: string } };
  expect(line).toBe(sandbox.control.payments.details(String(body.id)).boleto?.digitableLine);
  expect(due).toBe('2026-01-31');
  const barcode = String(body.barcode);
  expect(barcode).toMatch(/^\d{44}$/);
  expect(barcode[4]).toBe(modulo11(barcode.slice(0, 4) + barcode.slice(5)));
  expect(barcode.slice(9, 19)).toBe('0000001990');
  const pdf = await fetch(link.pdf);
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(await pdf.text()).toMatch(/^%PDF/);
  expect((await pay(server, boleto(), 'key')).body.boleto).toEqual(body.boleto);
});

test('the option responses adds fields only to its payment method’s responses, and to no notification', async () => {
  const sandbox = sandboxForTest({ responses });
  const received: string[] = [];
  sandbox.webhooks.connect(async (request) => {
    received.push(await request.text());
    return new Response();
  });
  expect((await pay(sandbox, openCard())).body).not.toHaveProperty('pix');
  await pay(sandbox, pix());
  await sandbox.webhooks.idle();
  expect(received).toHaveLength(4);
  expect(received.join()).not.toContain('qrCode');
  expect((await pay(sandboxForTest(), pix())).body).not.toHaveProperty('pix');
});

test.each<[object, string]>([
  [{ pixcode: 'a' }, 'responses has pixcode (known: pixCode, pixExpiresAt'],
  [{ pixCode: '' }, 'responses has a pixCode that is not a path such as pix.qrCode'],
  [{ pixCode: 'a..b' }, 'responses has a pixCode that is not a path'],
  [{ pixCode: 'status' }, 'responses has a pixCode in status, a field that the API docs show'],
  [{ pixCode: 'items.0' }, 'responses has a pixCode'],
  [
    { pixCode: 'pix', pixExpiresAt: 'pix.expiresAt' },
    'responses has one path for pixCode and inside of it for pixExpiresAt',
  ],
  [
    { pixCode: 'pix', boletoLine: 'pix' },
    'responses has one path for pixCode and inside of it for boletoLine',
  ],
  [[], 'responses must be an object of paths'],
])('createSandbox rejects the option responses: %j', (value, message) => {
  expect(() => sandboxForTest({ responses: value })).toThrow(message);
});
