/** An object that is not an array: what JSON calls an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // A proxy that was revoked is nothing at all.
    return false;
  }
}

/** What was given as an object of options, each read once. */
export interface GivenFields<Name extends string> {
  /** On no prototype: what was not given is not found anywhere else. */
  readonly fields: { readonly [Field in Name]?: unknown };
  /** Names of its own that are not known. */
  readonly unknown: readonly string[];
}

/**
 * Reads an object of options: what it has and what it inherits from a class or from an object of
 * defaults, but nothing that stands on `Object.prototype`, where somebody may have put it for all
 * objects. Undefined when it cannot be read, because a getter or a proxy throws.
 */
export function readFields<Name extends string>(
  given: object,
  known: readonly Name[],
): GivenFields<Name> | undefined {
  try {
    const inherited = prototypesOf(given);
    const fields: { [Field in Name]?: unknown } = Object.create(null);
    for (const name of known) {
      if (Object.hasOwn(given, name) || inherited.some((owner) => Object.hasOwn(owner, name)))
        fields[name] = (given as Readonly<Record<string, unknown>>)[name];
    }
    const isUnknown = (name: string) => !(known as readonly string[]).includes(name);
    return { fields, unknown: Object.keys(given).filter(isUnknown) };
  } catch {
    return undefined;
  }
}

/** A proxy can have prototypes without end. */
const mostPrototypes = 32;

/** The prototypes of an object, but for the last, which all objects share. */
function prototypesOf(given: object): readonly object[] {
  const found: object[] = [];
  let at: object | null = Object.getPrototypeOf(given);
  while (at !== null && found.length < mostPrototypes) {
    const next: object | null = Object.getPrototypeOf(at);
    if (next !== null) found.push(at);
    at = next;
  }
  return found;
}

/** What to say of an object that `readFields` cannot read. */
export const unreadable = 'could not be read: one of its getters throws';
