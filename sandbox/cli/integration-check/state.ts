/** A condition on an order's state: a path, and the value that it must have, or any except null, false, 0 and ''. */
export interface Condition {
  readonly path: string;
  readonly value: string | undefined;
}

/**
 * Parses a condition such as `status=paid` or `paidAt`.
 *
 * @throws Error that says how to write one
 */
export function parseCondition(text: string): Condition {
  const [, path, value] = /^([\w.-]+)(?:=(.+))?$/s.exec(text) ?? [];
  if (path === undefined) throw new Error(`must be such as status=paid or paidAt, not '${text}'`);
  return { path, value };
}

export const describeCondition = ({ path, value }: Condition): string =>
  value === undefined ? path : `${path}=${value}`;

/** Finds a value of JSON by a path such as `order.id`. */
export const findValue = (json: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null)?.[name], json);

export function holds({ path, value }: Condition, state: unknown): boolean {
  const found = findValue(state, path);
  return value === undefined ? Boolean(found) : String(found) === value;
}

/** Larger numbers are times, and numbers with more than two decimals are measurements. */
const largestCount = 1_000_000_000;

const isCount = (value: unknown): boolean =>
  typeof value === 'string'
    ? /^-?\d{1,9}$/.test(value)
    : typeof value === 'number' && value < largestCount && Number(value.toFixed(2)) === value;

/** Lists the counts of a state by path: its numbers, also as strings, and the lengths of its lists. */
function listCounts(state: unknown, path: string, counts: Map<string, number>): Map<string, number> {
  if (isCount(state)) counts.set(path, Number(state));
  if (Array.isArray(state)) counts.set(`${path}.length`, state.length);
  else if (typeof state === 'object' && state !== null)
    for (const [name, inner] of Object.entries(state))
      listCounts(inner, path === '' ? name : `${path}.${name}`, counts);
  return counts;
}

/**
 * Describes how the counts of an order have changed, such as `shipments +1`. An order that counts shipments
 * or e-mails shows here that an event was handled twice.
 */
export function describeChanges(before: unknown, after: unknown): string {
  const [old, now] = [before, after].map((state) => listCounts(state, '', new Map()));
  return [...(now as Map<string, number>)]
    .map(([path, count]) => [path, count - (old?.get(path) ?? 0)] as const)
    .filter(([, change]) => change !== 0)
    .map(([path, change]) => `${path} ${change > 0 ? '+' : ''}${change}`)
    .sort()
    .join(', ');
}
