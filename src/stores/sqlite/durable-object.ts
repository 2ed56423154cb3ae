import { StoreError } from '../../errors/store.js';
import { ConfigurationError } from '../../errors/usage.js';
import { redactStoreError } from '../../redact/cause.js';
import type { DedupeStore } from '../dedupe-store.js';
import { deliveriesTable } from '../table-names.js';
import type { SqliteRow } from './database.js';
import { sqliteDedupeSql, sqliteStore } from './dedupe.js';

/** A binding to the class `DedupeObject`, as in a Worker's `env`. */
export interface DedupeNamespace {
  /** Returns the id of the object with a name. */
  idFromName(name: string): unknown;
  /** Returns the object with the id. The object starts with its first request. */
  get(id: never): { fetch(url: string, init: { method: string; body: string }): Promise<Response> };
}

/** The state that Cloudflare passes to a Durable Object with SQLite storage. */
export interface DedupeObjectState {
  /** The object's own database. */
  readonly storage: {
    readonly sql: { exec(text: string, ...values: never[]): { toArray(): unknown[] } };
  };
}

interface Step {
  readonly name: 'claim' | 'renew' | 'complete' | 'release' | 'advance';
  readonly values: readonly never[];
}

/** An object handles its steps one after another. */
const objectCount = 64;

/**
 * The Durable Object of `durableObjectDedupe`. Export it from your Worker, and list it in a migration under
 * `new_sqlite_classes`.
 */
export class DedupeObject {
  /** Exists only as a type. Cloudflare's namespace types require this property. */
  declare readonly __DURABLE_OBJECT_BRAND: never;
  readonly #store: DedupeStore;

  constructor(state: DedupeObjectState) {
    const { sql } = state.storage;
    sql.exec(sqliteDedupeSql());
    this.#store = sqliteStore(
      deliveriesTable,
      async (text, values) => sql.exec(text, ...(values as never[])).toArray() as SqliteRow[],
    );
  }

  /** Runs a step of the store. */
  async fetch(request: Request): Promise<Response> {
    const { name, values } = (await request.json()) as Step;
    const run = this.#store[name] as ((...values: never[]) => unknown) | undefined;
    return Response.json({ result: await run?.apply(this.#store, [...values]) });
  }
}

/**
 * Remembers deliveries in Cloudflare Durable Objects: `durableObjectDedupe(env.DELIVERIES)`. For the binding,
 * export `DedupeObject` from your Worker.
 *
 * @throws ConfigurationError for anything but such a binding.
 */
export function durableObjectDedupe(namespace: DedupeNamespace): DedupeStore {
  if (typeof (namespace as DedupeNamespace | null)?.idFromName !== 'function')
    throw new ConfigurationError(
      'durableObjectDedupe takes a Durable Object namespace, such as env.DELIVERIES.',
    );
  const step =
    <Result>(name: Step['name']) =>
    async (id: string, ...values: unknown[]): Promise<Result> => {
      const object = namespace.get(namespace.idFromName(objectName(id)) as never);
      const body = JSON.stringify({ name, values: [id, ...values] });
      const response = await object
        .fetch('https://deliveries.invalid/', { method: 'POST', body })
        .catch((error: unknown) => Promise.reject(redactStoreError(error)));
      if (!response.ok) throw new StoreError(`The Durable Object responded with ${response.status}.`);
      return ((await response.json()) as { result: Result }).result;
    };
  return {
    claim: step('claim'),
    renew: step('renew'),
    complete: step('complete'),
    release: step('release'),
    advance: step('advance'),
  };
}

function objectName(id: string): string {
  let hash = 0;
  for (const character of id) hash = (31 * hash + Number(character.codePointAt(0))) % objectCount;
  return `payment-platform-${hash}`;
}
