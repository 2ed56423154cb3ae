import type { Operation, ParamKind } from '../../contract/operation.js';
import { uuidForm } from '../../contract/patterns.js';

const forms: Readonly<Record<ParamKind, RegExp>> = { uuid: uuidForm, integer: /^\d{1,30}$/, text: /./ };

/** Whether the parameters of a path are what the contract says. */
export function paramsFit({ params = {} }: Operation, given: Readonly<Record<string, string>>): boolean {
  return Object.entries(params).every(([name, kind]) => forms[kind].test(given[name] ?? ''));
}
