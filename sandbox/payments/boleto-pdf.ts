import { formatLine } from './boleto.js';

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

/** In points from the lower left corner. */
interface PdfText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** In points. */
  readonly size: number;
  readonly isBold?: boolean;
  /** Red, green and blue from 0 to 1. Default: black. */
  readonly colour?: readonly [number, number, number];
}

interface PdfLine {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

interface PdfPage {
  readonly title: string;
  readonly creator: string;
  readonly createdAt: Date;
  /** In points. */
  readonly size: readonly [width: number, height: number];
  readonly texts: readonly PdfText[];
  readonly lines: readonly PdfLine[];
}

/** The standard fonts add these characters to Latin-1, by their codes from 0x80 (PDF 32000-1, D.2). */
const winAnsi = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

/** Unsupported characters become question marks. */
function findCode(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if ((code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff)) return code;
  const beyond = character === '\0' ? -1 : winAnsi.indexOf(character);
  return beyond === -1 ? 0x3f : 0x80 + beyond;
}

const hex = (codes: readonly number[], digits: number) =>
  `<${codes.map((code) => code.toString(16).toUpperCase().padStart(digits, '0')).join('')}>`;

const shownText = (text: string) => hex(Array.from(text.normalize('NFC'), findCode), 2);

/** UTF-16 with a byte order mark. */
const documentText = (text: string) =>
  hex([0xfeff, ...Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))], 4);

const documentDate = (date: Date) => `(D:${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z)`;

const textOperators = ({ text, x, y, size, isBold = false, colour = [0, 0, 0] }: PdfText) =>
  `BT ${colour.join(' ')} rg /${isBold ? 'Bold' : 'Regular'} ${size} Tf ${x} ${y} Td ${shownText(text)} Tj ET`;

const lineOperators = ({ from, to, y }: PdfLine) => `0.5 w ${from} ${y} m ${to} ${y} l S`;

const font = (name: string) =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;

/** Uses the standard fonts of every reader (PDF 32000-1, 7.5). */
function buildPdf({ title, creator, createdAt, size, texts, lines }: PdfPage): Uint8Array<ArrayBuffer> {
  const content = [...texts.map(textOperators), ...lines.map(lineOperators)].join('\n');
  const date = documentDate(createdAt);
  const about = `/Creator ${documentText(creator)} /Producer ${documentText(creator)}`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.join(' ')}] /Contents 4 0 R /Resources << /Font << /Regular 5 0 R /Bold 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${documentText(title)} ${about} /CreationDate ${date} /ModDate ${date} >>`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\n`;
  // Everything is ASCII, so that string offsets equal byte offsets.
  return new TextEncoder().encode(`${text}${table}${trailer}startxref\n${text.length}\n%%EOF\n`);
}
