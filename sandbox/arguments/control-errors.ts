import { inspect } from '#sandbox-platform';

/** A control was called with an unknown id. */
export class UnknownIdError extends Error {
  /** `UnknownIdError`, also for another copy of the class. */
  override readonly name = 'UnknownIdError';
}

/** @param noun the word for the record, such as `payment`. */
export const unknownId = (noun: string, id: unknown): UnknownIdError =>
  new UnknownIdError(`There is no ${noun} ${inspect(id)} in this sandbox.`);

/** A control is not possible in the present status. */
export class IllegalTransitionError extends Error {
  /** `IllegalTransitionError`, also for another copy of the class. */
  override readonly name = 'IllegalTransitionError';
  /** The present status. */
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
