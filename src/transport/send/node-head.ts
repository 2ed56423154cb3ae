import type { ResponseHead } from './engine.js';

/** Status and headers of an answer of node:http. */
export class NodeHead implements ResponseHead {
  constructor(
    readonly status: number,
    /** Alternating names and values, as received. */
    private readonly raw: readonly string[],
  ) {}

  header(name: string): string | undefined {
    return headerIn(this.raw, name);
  }

  headers(): Record<string, string> {
    const names = this.raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    return Object.fromEntries(names.map((name) => [name, headerIn(this.raw, name) ?? '']));
  }
}

/** The value of a header by its name in lower case; the values of a repeated header are joined. */
export function headerIn(raw: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const candidate = raw[index] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      found = found === undefined ? raw[index + 1] : `${found}, ${raw[index + 1]}`;
    }
  }
  return found;
}
