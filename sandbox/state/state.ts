import { format, type SandboxState, stateVersion } from './saved-state.js';
import { type Codec, type Part, Table } from './table.js';

type Entries = readonly (readonly [key: string, json: unknown])[];

/** A restore can change every value. */
export interface StateListener {
  changed(part: string, key: string): void;
  restored(): void;
}

export interface TableFactory {
  /** @throws Error if a part already has this name */
  table<Value>(name: string, codec?: Codec<Value>): Table<Value>;
  /** Returns a function that reports a changed key. */
  keep(name: string, part: Part): (key?: string) => void;
}

export class State implements TableFactory {
  readonly #parts = new Map<string, Part>();
  readonly #listeners = new Set<StateListener>();
  readonly seed: number;
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

  of(owner: string): TableFactory {
    return {
      table: (name, codec) => this.table(`${owner}/${name}`, codec),
      keep: (name, part) => this.keep(`${owner}/${name}`, part),
    };
  }

  listen(listener: StateListener): void {
    this.#listeners.add(listener);
  }

  /** As JSON; undefined for an unknown key. */
  encoded(part: string, key: string): unknown {
    return this.#parts.get(part)?.encoded(key);
  }

  *entries(): Generator<readonly [part: string, key: string, json: unknown]> {
    for (const [name, part] of this.#parts) {
      for (const key of part.keys()) yield [name, key, part.encoded(key)];
    }
  }

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

  /** Parts without saved values are reset. */
  restore(state: SandboxState): void {
    this.#restoring = structuredClone(state);
    try {
      // Filling the part `merchants` creates merchants, which add their own parts to this loop.
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

/** A reset keeps these parts: the merchants, their credentials and features. */
const merchantParts = /^(merchants|credentials)$|\/features$|^random credentials\b/;

/** These parts generate ids. */
const idParts = /^(random .*|last withdrawal)$/;

/** @param isRepeatable whether ids repeat after a reset. Otherwise no id is used twice */
export function newState(first: SandboxState, present: SandboxState, isRepeatable: boolean): SandboxState {
  const stays = Object.entries(present.parts).filter(
    ([name]) => merchantParts.test(name) || (!isRepeatable && idParts.test(name)),
  );
  return { ...first, parts: { ...first.parts, ...Object.fromEntries(stays) } };
}
