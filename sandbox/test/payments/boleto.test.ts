import { describe, expect, test, vi } from 'vitest';
import { computeDigitableLine, formatLine, modulo10, modulo11, readDueDate } from '../../payments/boleto.js';
import * as printing from '../../payments/boleto-pdf.js';
import { Random } from '../../random/random.js';
import { boleto, call, pay, pix, sandboxForTest } from '../support.js';
import { printBoleto } from './print-boleto.js';

vi.mock('../../payments/boleto-pdf.js', { spy: true });

// `test/interop/sandbox/boleto-pdf.test.ts` reads the PDF.
describe('a boleto’s PDF', () => {
  test('is the same for the same seed', async () => {
    const [one, other] = [await printBoleto(boleto()), await printBoleto(boleto())];
    expect(one.bytes).toEqual(other.bytes);
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
    const { response, bytes } = await printBoleto(boleto());
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
