import { isRecord, setOwn } from '../../src/validation/record.js';
import type { ResponseField, ResponseFields } from '../defaults/response-fields.js';
import { computeBarcode } from '../payments/boleto.js';
import { methodBehaviours } from '../payments/methods.js';
import type { PaymentRecord } from '../payments/payment-record.js';
import { createPixCode } from '../payments/pix-code.js';
import { prefix } from './control-paths.js';

function listValues(
  record: PaymentRecord,
  origin: string,
): Readonly<Record<ResponseField, string | undefined>> {
  const { id, boleto, draft, expiresAt } = record;
  const isPix = methodBehaviours[draft.paymentMethod].shows === 'pix-code';
  return {
    pixCode: isPix ? createPixCode(id, draft.amount) : undefined,
    pixExpiresAt: isPix ? expiresAt : undefined,
    boletoLine: boleto?.digitableLine,
    boletoBarcode: boleto && computeBarcode(boleto.digitableLine),
    boletoUrl: boleto && `${origin}${prefix}/payments/${id}/boleto.pdf`,
    boletoDueDate: boleto?.dueDate,
  };
}

/** @param origin the address that the request used */
export function withResponseFields(
  payment: object,
  record: PaymentRecord,
  responses: ResponseFields,
  origin: string,
): object {
  const values = listValues(record, origin);
  const value = Object.entries(responses) as [ResponseField, string | undefined][];
  return value.reduce(
    (result, [name, path]) =>
      path === undefined || values[name] === undefined
        ? result
        : withValue(result, path.split('.'), values[name]),
    payment,
  );
}

function withValue(value: unknown, [name, ...rest]: readonly string[], leaf: string): object {
  const copy: Record<string, unknown> = isRecord(value) ? { ...value } : {};
  if (name !== undefined) setOwn(copy, name, rest.length === 0 ? leaf : withValue(copy[name], rest, leaf));
  return copy;
}
