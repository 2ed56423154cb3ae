// In the build, these take the place of the Request and the Headers of the runtime inside ky (see
// tsup.config.ts). ky makes a Request of each call, a clone of it for a retry, and two Headers. The engine
// gives its own URL and `init` to fetch and never retries by ky, so ky's own objects are not read. They took a
// quarter of the CPU of a call.

export class KyHeaders {
  readonly #values = new Map<string, string>();

  has(name: string): boolean {
    return this.#values.has(name);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }
}

export class KyRequest {
  readonly body = null;
  readonly headers = new KyHeaders();
  readonly method: string | undefined;

  constructor(
    readonly url: string,
    { method }: { readonly method?: string } = {},
  ) {
    this.method = method;
  }

  clone(): this {
    return this;
  }
}
