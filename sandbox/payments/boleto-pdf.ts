import { formatLine } from './boleto.js';
import { buildPdf } from './pdf-page.js';

export interface BoletoPrint {
  readonly paymentId: string;
  readonly payer: string;
  /** In cents. */
  readonly amount: number;
  /** YYYY-MM-DD. */
  readonly dueDate: string;
  readonly digitableLine: string;
  readonly createdAt: Date;
}

const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

const printedDate = (date: string) => date.split('-').reverse().join('/');

/** It is marked as a sandbox document. */
export function createBoletoPdf(boleto: BoletoPrint): Uint8Array<ArrayBuffer> {
  const rows = [
    ['Beneficiário', 'Sandbox Merchant'],
    ['Pagador', boleto.payer],
    ['Valor', brl.format(boleto.amount / 100).replace('\u00a0', ' ')],
    ['Vencimento', printedDate(boleto.dueDate)],
    ['Pagamento', boleto.paymentId],
  ] as const;
  const computeHeight = (row: number) => 295 - row * 50;
  return buildPdf({
    title: `Boleto ${boleto.paymentId}`,
    creator: 'payment-platform sandbox',
    createdAt: boleto.createdAt,
    size: [595, 420],
    texts: [
      { text: 'SANDBOX - no value', x: 40, y: 370, size: 22, isBold: true, colour: [0.75, 0, 0] },
      { text: formatLine(boleto.digitableLine), x: 40, y: 335, size: 13, isBold: true },
      ...rows.flatMap(([label, text], row) => [
        { text: label, x: 40, y: computeHeight(row) + 4, size: 8 },
        { text: text.slice(0, 80), x: 40, y: computeHeight(row) - 12, size: 12 },
      ]),
    ],
    lines: rows.map((_, row) => ({ from: 40, to: 555, y: computeHeight(row) + 18 })),
  });
}
