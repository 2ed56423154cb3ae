import type { RuntimeSchema } from '../../src/contract/runtime-schema.js';
import { renameFields, type WireNames } from '../../src/contract/wire-names.js';

/** Like `fromWire`, but drops fields that already have the SDK's name. */
export const fromWireOnly = <Body>(names: WireNames, shape: RuntimeSchema | undefined, body: Body): Body =>
  renameFields(body, names.findRenamings(shape)?.fromWire, true) as Body;

export function pathToWire(names: WireNames, shape: RuntimeSchema | undefined, path: string): string {
  let renaming = names.findRenamings(shape)?.toWire;
  return path
    .split('.')
    .map((part) => {
      const nested = renaming?.nested.find(({ property }) => property === part);
      const name = nested?.path.join('.') ?? renaming?.names.get(part) ?? part;
      renaming = nested === undefined ? renaming?.inside.get(name) : nested.inside;
      return name;
    })
    .join('.');
}
