import { printedLine } from './boleto.js';

/** The data printed on a boleto. */
export interface BoletoPrint {
  readonly paymentId: string;
  readonly payer: string;
  /** Cents. */
  readonly amount: number;
  /** YYYY-MM-DD. */
  readonly dueDate: string;
  readonly digitableLine: string;
  readonly createdAt: Date;
}

const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

const printedDate = (date: string) => date.split('-').reverse().join('/');

/** A one-page PDF of a boleto, marked as one of the sandbox. */
export async function boletoPdf(boleto: BoletoPrint): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded on first use: the library is large, and few runs print a boleto.
  const { PDFDocument, StandardFonts, rgb } = await import('@cantoo/pdf-lib');
  const document = await PDFDocument.create();
  const title = `Boleto ${boleto.paymentId}`;
  document.setTitle(title);
  document.setCreator('payment-platform sandbox');
  document.setProducer('payment-platform sandbox');
  document.setCreationDate(boleto.createdAt);
  document.setModificationDate(boleto.createdAt);

  const page = document.addPage([595, 420]);
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const printable = new Set(regular.getCharacterSet());
  // drawText throws for characters that the standard fonts do not have.
  const safe = (text: string) =>
    Array.from(text.normalize('NFC'), (letter) =>
      printable.has(letter.codePointAt(0) ?? 0) ? letter : '?',
    ).join('');

  page.drawText('SANDBOX - no value', { x: 40, y: 370, size: 22, font: bold, color: rgb(0.75, 0, 0) });
  page.drawText(printedLine(boleto.digitableLine), { x: 40, y: 335, size: 13, font: bold });

  const rows = [
    ['Beneficiário', 'Sandbox Merchant'],
    ['Pagador', boleto.payer],
    ['Valor', brl.format(boleto.amount / 100).replace('\u00a0', ' ')],
    ['Vencimento', printedDate(boleto.dueDate)],
    ['Pagamento', boleto.paymentId],
  ] as const;
  for (const [index, [label, text]] of rows.entries()) {
    const y = 295 - index * 50;
    page.drawLine({ start: { x: 40, y: y + 18 }, end: { x: 555, y: y + 18 }, thickness: 0.5 });
    page.drawText(label, { x: 40, y: y + 4, size: 8, font: regular });
    page.drawText(safe(text).slice(0, 80), { x: 40, y: y - 12, size: 12, font: regular });
  }
  return new Uint8Array(await document.save());
}
