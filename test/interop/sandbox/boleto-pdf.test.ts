import { decodePDFRawStream, PDFDocument, PDFRawStream } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { printBoleto } from '../../../sandbox/test/payments/print-boleto.js';
import { boleto } from '../../../sandbox/test/support.js';

/** Lists the strings on the PDF's page. */
async function readTexts(pdf: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(pdf);
  const [contents] = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : []));
  if (contents === undefined) throw new Error('The page is empty.');
  const operators = new TextDecoder().decode(decodePDFRawStream(contents).decode());
  return Array.from(operators.matchAll(/<([0-9A-F]+)> Tj/g), ([, hex = '']) =>
    new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')),
  );
}

describe('a boleto’s PDF', () => {
  test('can be opened, has one page and names the payment', async () => {
    const { payment, response, bytes } = await printBoleto(boleto());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(new TextDecoder().decode(bytes.slice(0, 5))).toBe('%PDF-');
    const document = await PDFDocument.load(bytes);
    expect(document.getPageCount()).toBe(1);
    expect(document.getTitle()).toBe(`Boleto ${payment.id}`);
    expect(document.getCreationDate()).toEqual(new Date('2026-01-01T00:00:00Z'));
  });

  test('contains payee, payer, amount, due date and digitable line, and is marked as having no value', async () => {
    const { payment, bytes } = await printBoleto(
      boleto({ amount: 123_456, boleto: { expirationDate: '2026-02-03' } }),
    );
    const texts = await readTexts(bytes);
    expect(texts).toEqual(
      expect.arrayContaining([
        'SANDBOX - no value',
        'Sandbox Merchant',
        'Maria Silva, 12345678909',
        'R$ 1.234,56',
        '03/02/2026',
        payment.id,
      ]),
    );
    expect(texts[1]).toMatch(/^999\d{2}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{4}0000123456$/);
  });

  test('is printed for a customer without a name, or with characters that the font lacks', async () => {
    for (const customer of [{ name: `張三 😀\n${'x'.repeat(500)}` }, undefined]) {
      const { response, bytes } = await printBoleto(boleto({ customer }));
      expect(response.status).toBe(200);
      expect((await PDFDocument.load(bytes)).getPageCount()).toBe(1);
    }
  });
});
