/** A request such as `POST /orders {"id":"{order}"}`. Strings in its path and body can contain placeholders. */
export interface RequestTemplate {
  readonly method: string;
  readonly path: string;
  /** A JSON value. */
  readonly body?: unknown;
}

/** The placeholders of a template. */
export type Placeholder = 'id' | 'order' | 'cardToken' | 'cardNumber';

/**
 * Parses a request template.
 *
 * @throws Error that says how to write one
 */
export function parseTemplate(text: string): RequestTemplate {
  const [, method, path, body] = /^(GET|POST|PUT|PATCH) (\/\S*)(?: (.+))?$/s.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined)
    throw new Error(
      `must be a method, a path and JSON, such as POST /orders {"id":"{order}"}, not '${text}'`,
    );
  if (body === undefined) return { method, path };
  try {
    return { method, path, body: JSON.parse(body) as unknown };
  } catch {
    throw new Error(`has a body that is not JSON: '${body}'`);
  }
}

/** Checks whether a template contains a placeholder. */
export const uses = (template: RequestTemplate, name: Placeholder): boolean =>
  JSON.stringify(template).includes(`{${name}}`);

/** Replaces the placeholders of a template. */
export function fillIn(
  { method, path, body }: RequestTemplate,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): RequestTemplate {
  const inString = (text: string, encode: (value: string) => string) =>
    text.replace(/\{(id|order|cardToken|cardNumber)\}/g, (whole, name: Placeholder) =>
      values[name] === undefined ? whole : encode(values[name]),
    );
  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return inString(value, String);
    if (Array.isArray(value)) return value.map(inValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inValue(inner)]));
  };
  const filled = { method, path: inString(path, encodeURIComponent) };
  return body === undefined ? filled : { ...filled, body: inValue(body) };
}
