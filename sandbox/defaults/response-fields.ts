import { shapes } from '../../src/contract/generated/shapes.js';
import { formerly, invalidIf } from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';
import { Option } from './option.js';

/** Strings that a payment's response can contain in addition to the documented fields. */
const responseFields = {
  pixCode: 'the string that a customer copies or scans as a QR code',
  pixExpiresAt: 'when the Pix payment expires, in ISO 8601',
  boletoLine: 'the 47 digits that a customer types',
  boletoBarcode: 'the 44 digits of the barcode',
  boletoUrl: 'the address of the PDF, which needs no credentials',
  boletoDueDate: 'the due date, `YYYY-MM-DD`',
};

/** The name of a value that a response can contain. */
export type ResponseField = keyof typeof responseFields;

/** The positions of the values, as dotted paths in the response: `pix.qrCode`. */
export type ResponseFields = {
  /** The string that a customer copies, or scans as a QR code. */
  pixCode?: string | undefined;
  /** The time when a Pix expires, ISO 8601. */
  pixExpiresAt?: string | undefined;
  /** The 47 digits of a boleto that a customer types. */
  boletoLine?: string | undefined;
  /** The 44 digits of a boleto's barcode. */
  boletoBarcode?: string | undefined;
  /** The URL of a boleto's PDF, which needs no credentials. */
  boletoUrl?: string | undefined;
  /** A boleto's due date, YYYY-MM-DD. */
  boletoDueDate?: string | undefined;
};

const known = Object.keys(responseFields) as ResponseField[];

/** The payment fields in the API docs, except the two that contain the codes to pay with. */
const documented = Object.keys(shapes['payments.create'].response?.fields ?? {}).filter(
  (name) => name !== 'boleto' && name !== 'pix',
);

const aPath = /^[\p{L}_][\p{L}\d_-]*(\.[\p{L}_][\p{L}\d_-]*)*$/u;

function findProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'must be an object of paths, such as { pixCode: "pix.qrCode" }';
  const entries = Object.entries(value).filter(([, path]) => path !== undefined);
  for (const [name, path] of entries) {
    if (!known.some((one) => one === name)) return `has ${name.slice(0, 40)} (known: ${known.join(', ')})`;
    if (typeof path !== 'string' || !aPath.test(path))
      return `has a ${name} that is not a path such as pix.qrCode`;
    const [first = ''] = path.split('.', 1);
    if (documented.includes(first)) return `has a ${name} in ${first}, a field that the API docs show`;
    const other = entries.find(([key, one]) => key !== name && `${String(one)}.`.startsWith(`${path}.`));
    if (other !== undefined) return `has one path for ${name} and inside of it for ${other[0]}`;
  }
  return undefined;
}

export const responsesOption = new Option<ResponseFields, ResponseFields>(
  formerly('answers', invalidIf(findProblem)),
  (value) => value ?? {},
  {
    topic: 'Pix code and boleto in the response',
    default: `The response to a payment contains neither the Pix code nor the boleto's data. \`control.payments.details\` and the page show both. With \`createSandbox({ responses: { pixCode: 'pix.qrCode' } })\`, the response contains the values that you name, in fields that match your platform. ${Object.entries(
      responseFields,
    )
      .map(([name, what]) => `\`${name}\`: ${what}.`)
      .join(' ')}`,
    why: 'The API docs show no fields for these values. Without the Pix code, your checkout cannot show a QR code.',
  },
);
