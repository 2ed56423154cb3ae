import { isError, isInstance } from '../../src/validation/builtins.js';

/** The part of Node's `inspect` that error messages need: one line of source code. */
export function inspect(value: unknown, { depth = 2 }: { depth?: number } = {}): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'bigint':
      return `${value}n`;
    case 'function':
      return value.name === '' ? '[Function (anonymous)]' : `[Function: ${value.name}]`;
    case 'object':
      return value === null ? 'null' : inspectObject(value, depth);
    default:
      return Object.is(value, -0) ? '-0' : String(value);
  }
}

inspect.custom = Symbol.for('nodejs.util.inspect.custom');

/** Maximum number of list entries that are shown. */
const maxEntries = 100;

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  const isSimple = text.includes("'") && !text.includes('"');
  return isSimple ? `"${escaped}"` : `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function inspectObject(value: object, depth: number): string {
  if (isError(value)) return `[${value}]`;
  if (isInstance(value, 'Date')) return (value as Date).toJSON() ?? 'Invalid Date';
  if (Array.isArray(value)) {
    if (depth < 0 && value.length > 0) return '[Array]';
    const shown = value.slice(0, maxEntries).map((entry) => inspect(entry, { depth: depth - 1 }));
    const more = value.length - shown.length;
    return braced('[', more > 0 ? [...shown, `... ${more} more items`] : shown, ']');
  }
  const name = Object.getPrototypeOf(value)?.constructor?.name ?? '[Object: null prototype]';
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(
    ([, field]) => field.enumerable,
  );
  if (depth < 0 && fields.length > 0) return `[${name}]`;
  const shown = fields.map(([key, field]) => inspectField(key, field, depth));
  return (name === 'Object' ? '' : `${name} `) + braced('{', shown, '}');
}

/** Getters are not called. */
function inspectField(key: string, { get, value }: PropertyDescriptor, depth: number): string {
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
  return `${name}: ${get === undefined ? inspect(value, { depth: depth - 1 }) : '[Getter]'}`;
}

const braced = (open: string, entries: readonly string[], close: string) =>
  entries.length === 0 ? open + close : `${open} ${entries.join(', ')} ${close}`;
