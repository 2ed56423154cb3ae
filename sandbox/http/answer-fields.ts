import { isRecord, setOwn } from '../../src/validation/record.js';
import type { AnswerField, Answers } from '../choices/answers.js';
import { barcodeOf } from '../payments/boleto.js';
import type { PaymentRecord } from '../payments/payment-record.js';
import { pixCode } from '../payments/pix-code.js';
import { prefix } from './control-paths.js';

/** The values that the option `answers` may name. */
function valuesOf(record: PaymentRecord, origin: string): Readonly<Record<AnswerField, string | undefined>> {
  const { id, boleto, draft, expiresAt } = record;
  const isPix = draft.paymentMethod === 'pix';
  return {
    pixCode: isPix ? pixCode(id, draft.amount) : undefined,
    pixExpiresAt: isPix ? expiresAt : undefined,
    boletoLine: boleto?.digitableLine,
    boletoBarcode: boleto && barcodeOf(boleto.digitableLine),
    boletoUrl: boleto && `${origin}${prefix}/payments/${id}/boleto.pdf`,
    boletoDueDate: boleto?.dueDate,
  };
}

/**
 * The answer to a payment, with the values that the option `answers` names.
 *
 * @param origin the address at which the sandbox was called.
 */
export function withAnswers(
  payment: object,
  record: PaymentRecord,
  answers: Answers,
  origin: string,
): object {
  const values = valuesOf(record, origin);
  const given = Object.entries(answers) as [AnswerField, string | undefined][];
  return given.reduce(
    (answer, [name, path]) =>
      path === undefined || values[name] === undefined
        ? answer
        : withValue(answer, path.split('.'), values[name]),
    payment,
  );
}

function withValue(value: unknown, [name, ...rest]: readonly string[], leaf: string): object {
  const copy: Record<string, unknown> = isRecord(value) ? { ...value } : {};
  if (name !== undefined) setOwn(copy, name, rest.length === 0 ? leaf : withValue(copy[name], rest, leaf));
  return copy;
}
