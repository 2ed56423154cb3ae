import type { Shape } from '../../src/contract/shape.js';
import { renameFields, type WireNames } from '../../src/contract/wire-names.js';

/** As `fromWire`, but exact: a field that comes under the name of the SDK instead of its wire name is left out. */
export const fromWireOnly = <Body>(names: WireNames, shape: Shape | undefined, body: Body): Body =>
  renameFields(body, names.renamingsOf(shape)?.fromWire, true) as Body;

/** A dotted path, as it is on the wire. */
export function pathToWire(names: WireNames, shape: Shape | undefined, path: string): string {
  let renaming = names.renamingsOf(shape)?.toWire;
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
