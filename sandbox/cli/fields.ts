import { InvalidArgumentError } from 'commander';

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `customer.name=Ana`, `items.0.quantity=2`. */
export interface Field {
  readonly path: readonly string[];
  readonly value: unknown;
}

export const fieldHelp =
  'set a field by its path, such as customer.name=Ana or items.0.quantity=2; can be repeated';

/** A value that is valid JSON is parsed; any other value is a string. */
export function collectField(text: string, earlier: readonly Field[]): readonly Field[] {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const path = name.split('.');
  if (path.some((step) => step === '')) {
    throw new InvalidArgumentError('It must be name=value. The name can be a path, such as customer.name.');
  }
  return [...earlier, { path, value: jsonOr(value) }];
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const withFields = (body: object, fields: readonly Field[]): object =>
  fields.reduce<object>((copy, { path, value }) => replaced(copy, path, value) as object, body);

function replaced(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(body) && /^\d+$/.test(name) && Number(name) <= body.length) {
    return Object.assign([...body], { [name]: replaced(body[Number(name)], rest, value) });
  }
  const fields = new Map(isObject(body) ? Object.entries(body) : []);
  return Object.fromEntries(fields.set(name, replaced(fields.get(name), rest, value)));
}
