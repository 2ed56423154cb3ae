export interface Codec<Value> {
  readonly encode: (value: Value) => unknown;
  readonly decode: (json: unknown) => Value;
}

/** Values by key, as JSON. */
export interface Part {
  keys(): Iterable<string>;
  /** As JSON; undefined for an unknown key. */
  encoded(key: string): unknown;
  fill(entries: Iterable<readonly [key: string, json: unknown]>): void;
}

/** In the order in which the keys were first set. */
export class Table<Value> implements Part {
  readonly #values = new Map<string, Value>();
  /** Cached; undefined after a change. */
  #list: Value[] | undefined;
  readonly #changed: (key: string) => void;
  readonly #codec: Codec<Value> | undefined;

  /**
   * @param changed called for each key whose value changes
   * @param codec for values that are not JSON
   */
  constructor(changed: (key: string) => void, codec?: Codec<Value>) {
    this.#changed = changed;
    this.#codec = codec;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Call it also after an object was modified in place, so that the change is saved. */
  set(key: string, value: Value): Value {
    const before = this.#values.get(key);
    this.#values.set(key, value);
    if (before === undefined) this.#list?.push(value);
    else if (before !== value) this.#list = undefined;
    this.#changed(key);
    return value;
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    this.#list = undefined;
    this.#changed(key);
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }

  /** Without copying the values each time. */
  list(): readonly Value[] {
    this.#list ??= [...this.#values.values()];
    return this.#list;
  }

  keys(): Iterable<string> {
    return this.#values.keys();
  }

  encoded(key: string): unknown {
    const value = this.#values.get(key);
    return value === undefined || this.#codec === undefined ? value : this.#codec.encode(value);
  }

  fill(entries: Iterable<readonly [key: string, json: unknown]>): void {
    this.#values.clear();
    this.#list = undefined;
    for (const [key, json] of entries) {
      this.#values.set(key, this.#codec === undefined ? (json as Value) : this.#codec.decode(json));
    }
  }
}
