import { limits } from '../../src/contract/limits.js';
import type { Random } from '../random/random.js';
import { day } from '../time/units.js';

/** The boleto of a payment. */
export interface BoletoDetails {
  /** YYYY-MM-DD. */
  readonly dueDate: string;
  /** 47 digits. */
  readonly digitableLine: string;
}

const formatDate = (time: number) => new Date(time).toISOString().slice(0, 10);

/** YYYY-MM-DD, UTC; undefined for a string that is neither a date nor a timestamp. */
export function readDueDate(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\S+)?$/.test(text)) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  const date = formatDate(time);
  // Date.parse reads 30 February as a day in March.
  return text.length > 10 || date === text ? date : undefined;
}

export function isPast(dueDate: string, now: number): boolean {
  return dueDate < formatDate(now);
}

export function defaultDueDate(now: number): string {
  return formatDate(now + limits.boletoDueDays * day);
}

/** The first moment after the due date, in milliseconds since 1970. */
export function computeEnd(dueDate: string): number {
  return Date.parse(dueDate) + day;
}

/** Weights 2 and 1 from the right, and the sum of the digits of each product. */
export function modulo10(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Weights 2 to 9 from the right; the results 10 and 11 become 1. */
export function modulo11(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (2 + (index % 8)), 0);
  const rest = 11 - (sum % 11);
  return rest > 9 ? '1' : String(rest);
}

/** Days since 7 October 1997. 9999 (21 February 2025) is followed by 1000. */
function dueFactor(dueDate: string): string {
  const days = Math.round((Date.parse(dueDate) - Date.UTC(1997, 9, 7)) / day);
  return String(days < 10_000 ? days : ((days - 10_000) % 9_000) + 1_000).padStart(4, '0');
}

/** A bank code that does not exist. */
const bank = '999';
/** BRL. */
const real = '9';

/** 47 digits, in the layout of Brazilian banks. */
export function computeDigitableLine(amount: number, dueDate: string, random: Random): string {
  const free = random.digits(25);
  const value = dueFactor(dueDate) + String(amount).padStart(10, '0');
  const fields = [bank + real + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
  return [
    ...fields.map((field) => field + modulo10(field)),
    modulo11(bank + real + value + free),
    value,
  ].join('');
}

/** 44 digits. The barcode reorders the fields and drops their check digits. */
export const computeBarcode = (line: string): string =>
  line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31);

/** `99999.99999 99999.999999 99999.999999 9 99999999999999`. */
export function formatLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}
