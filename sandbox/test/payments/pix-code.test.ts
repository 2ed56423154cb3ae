import { expect, test } from 'vitest';
import { computeChecksum, createPixCode } from '../../payments/pix-code.js';
import { pay, pix, sandboxForTest, startOfYear } from '../support.js';

test('the Pix code’s checksum matches the example in the Central Bank’s manual', () => {
  const example =
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304';
  expect(computeChecksum(example)).toBe('1D3D');
});

/** Maps a code's field ids to their values. */
function parseFields(code: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    fields.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

test('the Pix code contains the amount, the charge’s address, and its checksum', () => {
  const id = '11111111-2222-4333-8444-555555555555';
  const code = createPixCode(id, 1_990);
  const fields = parseFields(code);
  expect(fields.get('54')).toBe('19.90');
  expect(fields.get('26')).toContain(id);
  expect(fields.get('63')).toBe(computeChecksum(code.slice(0, -4)));
  expect([...fields.keys()]).toEqual(['00', '01', '26', '52', '53', '54', '58', '59', '60', '62', '63']);
});

test('control.payments.details includes the Pix fields that the API does not show', async () => {
  const sandbox = sandboxForTest();
  const { body } = await pay(sandbox, pix(), 'key-1');
  const id = String(body.id);
  await sandbox.clock.advance('1m');
  sandbox.control.payments.pay(id);
  expect(sandbox.control.payments.details(id)).toEqual({
    payment: expect.objectContaining({ id, status: 'paid' }),
    clientId: sandbox.clientOptions().clientId,
    idempotencyKey: 'key-1',
    history: [
      { status: 'waiting_payment', at: startOfYear },
      { status: 'paid', at: '2026-01-01T00:01:00.000Z' },
    ],
    transitions: ['refund', 'chargeback'],
    expiresAt: '2026-01-01T00:30:00.000Z',
    pix: { copyAndPaste: createPixCode(id, 1_990) },
    boleto: undefined,
  });
});
