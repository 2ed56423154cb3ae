import type { Issue } from '../input/issue.js';
import { unreadable } from '../input/record.js';
import { assumptions, type FieldName, fieldTables } from './assumptions.js';
import type { FieldTable, Place } from './fields.js';
import { readOverrides } from './overrides.js';
import { buildRenaming, type Overrides, overrideOf, type Renaming, renameFields } from './renaming.js';
import { answerHeaderFields } from './response-headers.js';

interface Renamings {
  readonly toWire: Renaming | undefined;
  readonly fromWire: Renaming | undefined;
}

/** The wire names that one client, webhook receiver or sandbox uses: the defaults, overridden by `fieldNames`. */
export class WireNames {
  /** The header with the platform's identifier of a request, in lower case. */
  readonly requestIdHeader: string;
  /** The renamings of the tables in which a name differs; empty by default, so that nothing is copied without need. */
  readonly #renamings = new Map<FieldTable, Renamings>();
  readonly #overrides: Overrides;

  constructor(overrides: Overrides = new Map()) {
    this.#overrides = overrides;
    this.requestIdHeader = this.wireOf('response.requestId', 'response-header').toLowerCase();
    for (const table of fieldTables) {
      if (table === answerHeaderFields) continue;
      const toWire = buildRenaming(table, overrides, 'toWire');
      if (toWire !== undefined)
        this.#renamings.set(table, { toWire, fromWire: buildRenaming(table, overrides, 'fromWire') });
    }
  }

  /** The names that were given. */
  get given(): readonly string[] {
    const names = [...this.#overrides.values()];
    return names
      .flatMap((name) => (typeof name === 'string' ? name : Object.values(name)))
      .filter((name) => name !== undefined);
  }

  /** The wire name of an assumed field in one place. */
  wireOf(key: FieldName, place: Place): string {
    return overrideOf(this.#overrides, key, place) ?? assumptions[key].wire;
  }

  /** Whether a name in a table differs from the SDK's. */
  renames(table: FieldTable | undefined): boolean {
    return table !== undefined && this.#renamings.has(table);
  }

  /** A body with its wire names; the same object if no name differs. */
  toWire<Body>(table: FieldTable | undefined, body: Body): Body {
    return renameFields(body, table && this.#renamings.get(table)?.toWire) as Body;
  }

  /** A body with the SDK's names; the same object if no name differs. */
  fromWire<Body>(table: FieldTable | undefined, body: Body): Body {
    return renameFields(body, table && this.#renamings.get(table)?.fromWire) as Body;
  }

  /** As `fromWire`, but exact: a field that comes under the name of the SDK instead of its wire name is left out. */
  fromWireOnly<Body>(table: FieldTable | undefined, body: Body): Body {
    return renameFields(body, table && this.#renamings.get(table)?.fromWire, true) as Body;
  }

  /** A dotted path, as it is on the wire. */
  pathToWire(table: FieldTable | undefined, path: string): string {
    let renaming = table && this.#renamings.get(table)?.toWire;
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
}

/** The names without `fieldNames`. */
export const defaultWireNames = new WireNames();

/** Reads the option `fieldNames`. */
export function readFieldNames(given: unknown): {
  readonly names: WireNames;
  readonly issues: readonly Issue[];
} {
  try {
    const { overrides, issues } = readOverrides(given, Object.keys(assumptions), fieldTables);
    return { names: new WireNames(overrides), issues };
  } catch {
    return { names: defaultWireNames, issues: [{ path: '', message: unreadable }] };
  }
}
