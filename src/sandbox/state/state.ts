import { format, type SandboxState, stateVersion } from './saved.js';
import { type Codec, type Part, Table } from './table.js';

type Entries = readonly (readonly [key: string, json: unknown])[];

/** Told of each value that changes, and of a restored state, in which every value may be another. */
export interface StateListener {
  changed(part: string, key: string): void;
  restored(): void;
}

/** Where the tables of something are kept. */
export interface Tables {
  /** @throws Error if there is a part of this name. */
  table<Value>(name: string, codec?: Codec<Value>): Table<Value>;
  /** Keeps a part; returns a function that tells that the value of a key has changed. */
  keep(name: string, part: Part): (key?: string) => void;
}

/** Everything that a sandbox keeps: its parts, which are saved and restored together. */
export class State implements Tables {
  readonly #parts = new Map<string, Part>();
  readonly #listeners = new Set<StateListener>();
  readonly seed: number;
  /** While a state is restored: it. */
  #restoring: SandboxState | undefined;

  constructor(seed: number) {
    this.seed = seed;
  }

  table<Value>(name: string, codec?: Codec<Value>): Table<Value> {
    const table = new Table<Value>((key) => this.#changed(name, key), codec);
    this.#add(name, table);
    return table;
  }

  keep(name: string, part: Part): (key?: string) => void {
    this.#add(name, part);
    return (key = '') => this.#changed(name, key);
  }

  /** The parts of one owner, such as a merchant. */
  of(owner: string): Tables {
    return {
      table: (name, codec) => this.table(`${owner}/${name}`, codec),
      keep: (name, part) => this.keep(`${owner}/${name}`, part),
    };
  }

  listen(listener: StateListener): void {
    this.#listeners.add(listener);
  }

  /** The value of a key as JSON; undefined if there is none. */
  encoded(part: string, key: string): unknown {
    return this.#parts.get(part)?.encoded(key);
  }

  /** Every value, by part. */
  *entries(): Generator<readonly [part: string, key: string, json: unknown]> {
    for (const [name, part] of this.#parts) {
      for (const key of part.keys()) yield [name, key, part.encoded(key)];
    }
  }

  /** The present state, with nothing in common with what changes. */
  save(): SandboxState {
    const parts = Array.from(this.#parts, ([name, part]) => [
      name,
      Array.from(part.keys(), (key) => [key, part.encoded(key)]),
    ]);
    return structuredClone({
      format,
      version: stateVersion,
      seed: this.seed,
      parts: Object.fromEntries(parts),
    });
  }

  /** Replaces every value. Parts that it has no values for become those of a new sandbox. */
  restore(state: SandboxState): void {
    this.#restoring = structuredClone(state);
    try {
      // Merchants that it has and this sandbox does not yet, add their parts meanwhile.
      for (const [name, part] of this.#parts) part.fill(this.#saved(name));
    } finally {
      this.#restoring = undefined;
    }
    for (const listener of this.#listeners) listener.restored();
  }

  #add(name: string, part: Part): void {
    if (this.#parts.has(name)) throw new Error(`There is a part ${name} already.`);
    this.#parts.set(name, part);
  }

  #saved(name: string): Entries {
    const parts = this.#restoring?.parts ?? {};
    return Object.hasOwn(parts, name) ? (parts[name] ?? []) : [];
  }

  #changed(part: string, key: string): void {
    for (const listener of this.#listeners) listener.changed(part, key);
  }
}

/** What stays when a sandbox goes back to its beginning: the merchants, their credentials and features. */
const staying = /^(merchants|credentials)$|\/features$|^random credentials\b/;

/** A first state, with the merchants of the present one. */
export function newState(first: SandboxState, present: SandboxState): SandboxState {
  const stays = Object.entries(present.parts).filter(([name]) => staying.test(name));
  return { ...first, parts: { ...first.parts, ...Object.fromEntries(stays) } };
}
