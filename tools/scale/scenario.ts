/** A load, and the promises to check after it. */
export interface Scenario {
  readonly name: string;
  /** The service that must run, for the message if it does not. */
  readonly needs: string;
  readonly isThere: boolean;
  /** Rejects if something does not hold; otherwise gives the figures. `part` of the whole load, up to 1. */
  run(options: { readonly part: number; readonly seed: number }): Promise<Readonly<Record<string, number>>>;
}
