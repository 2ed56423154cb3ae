/** A behaviour that the API document leaves open, and what this sandbox does. */
export interface Choice {
  /** The behaviour in a few words, such as `Vault tokens`. */
  readonly topic: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** What the API document leaves open, or the reason for the choice. */
  readonly why: string;
  /** The option of `createSandbox` for the platform's other answer: `payments.transitions`. */
  readonly option?: string;
  /** Why no option changes it. */
  readonly fixed?: string;
}
