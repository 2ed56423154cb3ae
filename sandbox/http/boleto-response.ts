import type { Payment } from '../../src/contract/payments/types.js';
import type { BoletoDetails } from '../payments/boleto.js';
import { createBoletoPdf } from '../payments/boleto-pdf.js';

export function createBoletoResponse(
  { id, amount, createdAt, customer }: Pick<Payment, 'id' | 'amount' | 'createdAt' | 'customer'>,
  { dueDate, digitableLine }: BoletoDetails,
): Response {
  const { name, documentNumber } = customer ?? {};
  const pdf = createBoletoPdf({
    paymentId: id,
    payer: [name, documentNumber].filter(Boolean).join(', '),
    amount,
    dueDate,
    digitableLine,
    createdAt: new Date(createdAt),
  });
  return new Response(pdf, { headers: { 'content-type': 'application/pdf' } });
}
