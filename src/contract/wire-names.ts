import type { Issue } from '../input/issue.js';
import { unreadable } from '../input/record.js';
import { readOverrides } from './overrides.js';
import { buildRenaming, type Renaming, renameFields } from './renaming.js';
import { requestIdField } from './response-headers.js';
import type { Shape } from './shape.js';
import { namedShapes, type Overrides, overrideOf } from './wire-name.js';

/** The renamings of a shape in both directions. */
interface Renamings {
  readonly toWire: Renaming | undefined;
  readonly fromWire: Renaming | undefined;
}

/** The wire names that one client or sandbox uses: the SDK's, overridden by `fieldNames`. */
export class WireNames {
  /** The header with the platform's identifier of a request, in lower case. */
  readonly requestIdHeader: string;
  /** The name of the field `grant_type` in a token request. */
  readonly grantType: string;
  /** The renamings of the shapes in which a name differs; empty by default, so that nothing is copied without need. */
  readonly #renamings = new Map<Shape, Renamings>();
  /** Whether no name differs from the SDK's, so that no body need be renamed. */
  readonly areDefault: boolean;
  readonly #overrides: Overrides;

  constructor(overrides: Overrides = new Map()) {
    this.#overrides = overrides;
    this.areDefault = overrides.size === 0;
    this.requestIdHeader = (
      overrideOf(overrides, requestIdField.key, 'response-header') ?? requestIdField.wire
    ).toLowerCase();
    this.grantType = overrideOf(overrides, 'oauth.grant_type', 'request') ?? 'grant_type';
    for (const { shape, place } of this.areDefault ? [] : namedShapes()) {
      const toWire = buildRenaming(shape, place, overrides, 'toWire');
      if (toWire !== undefined)
        this.#renamings.set(shape, { toWire, fromWire: buildRenaming(shape, place, overrides, 'fromWire') });
    }
  }

  /** The names that were given. */
  get given(): readonly string[] {
    const names = [...this.#overrides.values()];
    return names
      .flatMap((name) => (typeof name === 'string' ? name : Object.values(name)))
      .filter((name) => name !== undefined);
  }

  /** The renamings of a shape; undefined if no name in it differs from the SDK's. */
  renamingsOf(shape: Shape | undefined): Renamings | undefined {
    return shape && this.#renamings.get(shape);
  }

  /** A body with its wire names; the same object if no name differs. */
  toWire<Body>(shape: Shape | undefined, body: Body): Body {
    return renameFields(body, this.renamingsOf(shape)?.toWire) as Body;
  }

  /** A body with the SDK's names; the same object if no name differs. */
  fromWire<Body>(shape: Shape | undefined, body: Body): Body {
    return renameFields(body, this.renamingsOf(shape)?.fromWire) as Body;
  }
}

/** The names without `fieldNames`. */
export const defaultWireNames = new WireNames();

/** Reads the option `fieldNames`. */
export function readFieldNames(given: unknown): {
  readonly names: WireNames;
  readonly issues: readonly Issue[];
} {
  try {
    const { overrides, issues } = readOverrides(given, namedShapes());
    return { names: new WireNames(overrides), issues };
  } catch {
    return { names: defaultWireNames, issues: [{ path: '', message: unreadable }] };
  }
}
