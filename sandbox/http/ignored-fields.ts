import { shapes } from '../../src/contract/generated/shapes.js';
import type { RuntimeSchema } from '../../src/contract/runtime-schema.js';
import type { WireNames } from '../../src/contract/wire-names.js';
import { UploadedFile } from '../sellers/uploaded-file.js';
import type { AnyOperation, Handler } from './handler.js';
import { pathToWire } from './platform-names.js';

/** `everything` if the API docs leave the fields open. */
type Known = Map<string, Known> | 'everything';

/** Maximum number of paths per request. */
const most = 100;

const keyLookalikes = ['idempotency-key', 'x-idempotency-token', 'idempotencykey', 'x-idempotencykey'];

export class IgnoredFieldFinder {
  readonly #names: WireNames;
  readonly #known = new Map<string, { readonly body: Known; readonly query: Known }>();

  constructor(names: WireNames) {
    this.#names = names;
  }

  /** The paths are spelled as sent. Those of the query and of headers begin with `query.` and `headers.`. */
  of(
    operation: AnyOperation,
    reads: Handler['reads'],
    { headers, query, body }: { readonly headers: Headers; readonly query: object; readonly body: unknown },
  ): readonly string[] {
    const known = this.#findKnown(operation, reads);
    const withoutKey = operation.idempotencyKey === 'none' ? ['x-idempotency-key'] : [];
    return [
      ...[...keyLookalikes, ...withoutKey]
        .filter((name) => headers.has(name))
        .map((name) => `headers.${name}`),
      ...unknownIn(query, known.query, 'query.'),
      ...(operation.encoding === 'none' ? [] : unknownIn(body, known.body, '')),
    ].slice(0, most);
  }

  #findKnown({ id }: AnyOperation, reads: Handler['reads']) {
    const { request, query } = shapes[id];
    const known = this.#known.get(id) ?? {
      body: reads === undefined ? knownIn(request, this.#names) : listNames(reads),
      query: query === undefined ? new Map() : knownIn(query, this.#names),
    };
    this.#known.set(id, known);
    return known;
  }
}

const listNames = (reads: NonNullable<Handler['reads']>): Known =>
  reads === 'everything' ? reads : new Map(reads.map((name) => [name, 'everything']));

function knownIn(shape: RuntimeSchema | undefined, names: WireNames): Known {
  if (shape === undefined || isOpen(shape)) return 'everything';
  const known: Known = new Map();
  for (const [path, isOpen] of pathsIn(shape))
    insert(known, pathToWire(names, shape, path).split('.'), isOpen);
  return known;
}

/** Whether the API docs leave the fields open. */
const isOpen = ({ fields, entries }: RuntimeSchema): boolean =>
  entries === undefined ? Object.keys(fields).length === 0 : isOpen(entries);

/** Without list positions. */
function pathsIn(
  { fields, entries }: RuntimeSchema,
  prefix = '',
): (readonly [path: string, isOpen: boolean])[] {
  if (entries !== undefined) return pathsIn(entries, prefix);
  return Object.entries(fields).flatMap(([name, field]) =>
    isOpen(field) ? [[prefix + name, true] as const] : pathsIn(field, `${prefix}${name}.`),
  );
}

function insert(known: Known, [name = '', ...rest]: readonly string[], isOpen: boolean): void {
  if (known === 'everything') return;
  const inside: Known = known.get(name) ?? (rest.length === 0 && isOpen ? 'everything' : new Map());
  known.set(name, inside);
  if (rest.length > 0) insert(inside, rest, isOpen);
}

function* unknownIn(value: unknown, known: Known, prefix: string): Generator<string> {
  if (known === 'everything' || typeof value !== 'object' || value === null) return;
  if (value instanceof UploadedFile) return;
  for (const [name, entry] of Object.entries(value)) {
    const inside = Array.isArray(value) ? known : known.get(name);
    if (inside === undefined) yield prefix + name;
    else yield* unknownIn(entry, inside, `${prefix}${name}.`);
  }
}
