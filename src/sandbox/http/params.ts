import type { Operation } from '../../contract/operation.js';

/** Whether the parameters of a path are what the contract says. On the wire a number is its digits. */
export function paramsFit({ params = {} }: Operation, given: Readonly<Record<string, string>>): boolean {
  return Object.entries(params).every(([name, schema]) => {
    const text = given[name] ?? '';
    return schema.safeParse(text).success || (/^\d+$/.test(text) && schema.safeParse(Number(text)).success);
  });
}
