/** Source code that the copied test contains instead of a literal value. */
export class Expression {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** In characters. */
const longest = 80;

export function literal(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  const hasParts = typeof value === 'object' && value !== null && !(value instanceof Expression);
  if (line.length + indent.length <= longest || !hasParts) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : input(value).map(([name, item]) => `${property(name)}: ${literal(item, inner)}`);
  const body = parts.map((part) => `${inner}${part},\n`).join('');
  return isList ? `[\n${body}${indent}]` : `{\n${body}${indent}}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = input(value).map(([name, item]) => `${property(name)}: ${onOneLine(item)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

const input = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined);

const property = (name: string) =>
  name === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);

/** Escapes characters that would end the line or the script. */
const quoted = (text: string) =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)}'`;

/** The ids that expressions replace are UUIDs, and the numbers of withdrawals. */
export const ids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{9,}/gi;

/** Expressions replace the ids, which differ in every run. */
export function template(text: string, expressions: ReadonlyMap<string, Expression>): string | Expression {
  const found = [...new Set(text.match(ids))].flatMap((id): [string, Expression][] => {
    const expression = expressions.get(id);
    return expression === undefined ? [] : [[id, expression]];
  });
  if (found.length === 0) return text;
  const [only] = found;
  if (only !== undefined && only[0] === text) return only[1];
  const escaped = text.replace(/[\\`]|\$\{/g, (part) => `\\${part}`);
  const filled = found.reduce(
    (shown, [part, { text: source }]) => shown.replaceAll(part, `\${${source}}`),
    escaped,
  );
  return new Expression(`\`${filled}\``);
}
