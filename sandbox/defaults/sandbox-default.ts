/** A behaviour that the API docs leave open, and the sandbox's default. */
export interface SandboxDefault {
  /** The behaviour in a few words, such as `Vault tokens`. */
  readonly topic: string;
  /** The sandbox's behaviour. */
  readonly default: string;
  /** The gap in the API docs, or the reason for the default. */
  readonly why: string;
  /** The option of `createSandbox` that changes the behaviour, such as `payments.transitions`. */
  readonly option?: string;
  /** The reason why no option changes the behaviour. */
  readonly fixed?: string;
}
