import { decodePDFRawStream, PDFDocument, PDFRawStream } from '@cantoo/pdf-lib';
import { describe, expect, test, vi } from 'vitest';
import { computeDigitableLine, formatLine, modulo10, modulo11, readDueDate } from '../../payments/boleto.js';
import * as printing from '../../payments/boleto-pdf.js';
import { Random } from '../../random/random.js';
import { boleto, call, pay, pix, sandboxForTest } from '../support.js';

vi.mock('../../payments/boleto-pdf.js', { spy: true });

const print = async (body: object) => {
  const sandbox = sandboxForTest();
  const { body: payment } = await pay(sandbox, body);
  const { baseUrl, clientId, clientSecret, fetch } = sandbox.clientOptions();
  const response = await fetch(`${baseUrl}/v1/payments/${payment.id}/boleto`, {
    headers: { 'client-id': clientId, 'client-secret': clientSecret },
  });
  return { payment, response, bytes: new Uint8Array(await response.arrayBuffer()) };
};

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
    const { payment, response, bytes } = await print(boleto());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(new TextDecoder().decode(bytes.slice(0, 5))).toBe('%PDF-');
    const document = await PDFDocument.load(bytes);
    expect(document.getPageCount()).toBe(1);
    expect(document.getTitle()).toBe(`Boleto ${payment.id}`);
    expect(document.getCreationDate()).toEqual(new Date('2026-01-01T00:00:00Z'));
  });

  test('contains payee, payer, amount, due date and digitable line, and is marked as having no value', async () => {
    const { payment, bytes } = await print(
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

  test('is the same for the same seed', async () => {
    const [one, other] = [await print(boleto()), await print(boleto())];
    expect(one.bytes).toEqual(other.bytes);
  });

  test('is printed for a customer without a name, or with characters that the font lacks', async () => {
    for (const customer of [{ name: `張三 😀\n${'x'.repeat(500)}` }, undefined]) {
      const { response, bytes } = await print(boleto({ customer }));
      expect(response.status).toBe(200);
      expect((await PDFDocument.load(bytes)).getPageCount()).toBe(1);
    }
  });

  test('exists only for boletos', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix());
    const other = await call(sandbox, `/v1/payments/${body.id}/boleto`);
    expect(other.status).toBe(400);
    expect(other.body.error?.code).toBe('not_a_boleto');
    expect((await call(sandbox, '/v1/payments/00000000-0000-4000-8000-000000000000/boleto')).status).toBe(
      404,
    );
  });

  test('returns a 500 if the PDF cannot be created', async () => {
    vi.mocked(printing.createBoletoPdf).mockImplementationOnce(() => {
      throw new Error('out of ink');
    });
    const { response, bytes } = await print(boleto());
    expect(response.status).toBe(500);
    expect(JSON.parse(new TextDecoder().decode(bytes)).error).toMatchObject({ code: 'sandbox_error' });
  });
});

describe('a boleto’s digitable line', () => {
  // The line comes from the public manuals of Banco do Brasil: 00190.50095 40144.816069 06809.350314 3
  // 37370000000100.
  test('has the check digits of a published example', () => {
    expect(['001905009', '4014481606', '0680935031'].map(modulo10)).toEqual(['5', '9', '4']);
    expect(modulo11('0019373700000001000500940144816060680935031')).toBe('3');
  });

  test('contains the bank, the due date and the amount', () => {
    const line = computeDigitableLine(1_990, '2026-01-31', new Random(1, 'test'));
    expect(line).toMatch(/^9999\d{43}$/);
    // The factor is 10343 days after 7 October 1997; the count restarted at 1000 on day 10000.
    expect(line.slice(33)).toBe('13430000001990');
    for (const [from, to] of [
      [0, 9],
      [10, 20],
      [21, 31],
    ] as const) {
      expect(line[to]).toBe(modulo10(line.slice(from, to)));
    }
  });

  test.each([
    ['1997-10-08', '0001'],
    ['2025-02-21', '9999'],
    ['2025-02-22', '1000'],
  ])('for the due date %s contains the factor %s', (dueDate, factor) => {
    expect(computeDigitableLine(100, dueDate, new Random(1, 'test')).slice(33, 37)).toBe(factor);
  });

  test('is printed in groups', () => {
    expect(formatLine('00190500954014481606906809350314337370000000100')).toBe(
      '00190.50095 40144.816069 06809.350314 3 37370000000100',
    );
  });
});

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T23:30:00-03:00', '2026-02-01'],
  ['2026-01-31T25:00:00Z', undefined],
  ['31/01/2026', undefined],
  ['', undefined],
])('the due date %j of a boleto payment is read as %j', (text, expected) => {
  expect(readDueDate(text)).toBe(expected);
});
