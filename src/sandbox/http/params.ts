import { type Operation, paramForms } from '../../contract/operation.js';

/** Whether the parameters of a path are what the contract says. */
export function paramsFit({ params = {} }: Operation, given: Readonly<Record<string, string>>): boolean {
  return Object.entries(params).every(([name, kind]) => paramForms[kind].test(given[name] ?? ''));
}
