/** A load, and the guarantees to check after it. */
export interface Scenario {
  readonly name: string;
  /** The required service, for the message if it is missing. */
  readonly needs: string;
  readonly isThere: boolean;
  /**
   * Runs the load. Rejects if a promise is broken, and otherwise returns the figures. `part` is the share of
   * the whole load, up to 1.
   */
  run(options: { readonly part: number; readonly seed: number }): Promise<Readonly<Record<string, number>>>;
}
