export interface Kind {
  readonly noun: 'payment' | 'withdrawal' | 'registration';
  /** Kinds can share a table, because a client of one kind neither finds nor claims the rows of another. */
  readonly scope: '' | ':withdrawals' | ':onboarding';
  /**
   * Whether the platform executes a repeated request with the same key once. If not, a request whose outcome is
   * unknown is never sent again, and a person decides.
   */
  readonly canRepeat: boolean;
  /** Whether the payload contains the id of another record, so that the platform's 404 is about the payload. */
  readonly namesRecord: boolean;
  /** The maximum number of rows that are attempted at once by default, because payloads can be large. */
  readonly atOnce: number;
  /** The effect of a second request, such as `the customer can be charged`. */
  readonly effect: string;
  /** The advice for another payload with the key of a request that may exist. */
  readonly mayExist: string;
  /** `ofRecord` replaces `ofCall` in a recorded error. Undefined if the call's advice also fits. */
  readonly advice: readonly [ofCall: string, ofRecord: string] | undefined;
}
