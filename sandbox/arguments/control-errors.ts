import { inspect } from '#sandbox-platform';

/** A control was called with an unknown id. */
export class UnknownIdError extends Error {
  /** Always `UnknownIdError`: compare it across copies of the class. */
  override readonly name = 'UnknownIdError';
}

/**
 * Creates the error for an unknown id.
 *
 * @param noun what messages call the record, such as `payment`
 */
export const unknownId = (noun: string, id: unknown): UnknownIdError =>
  new UnknownIdError(`There is no ${noun} ${inspect(id)} in this sandbox.`);

/** A control is not possible in the current status. */
export class IllegalTransitionError extends Error {
  /** Always `IllegalTransitionError`: compare it across copies of the class. */
  override readonly name = 'IllegalTransitionError';
  /** The current status. */
  readonly status: string;
  /** The names of the controls that are possible now. */
  readonly legal: readonly string[];

  constructor(message: string, status: string, legal: readonly string[]) {
    const possible = legal.length === 0 ? 'nothing' : legal.join(', ');
    super(`${message} Possible now: ${possible}.`);
    this.status = status;
    this.legal = Object.freeze([...legal]);
  }
}
