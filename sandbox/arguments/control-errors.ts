import { inspect } from '#sandbox-runtime';

/** Thrown when a control method receives an unknown id. */
export class UnknownIdError extends Error {
  /** Always `UnknownIdError`. Compare the name, because several copies of the class can be loaded. */
  override readonly name = 'UnknownIdError';
}

/** @param noun the word for the record in messages, such as `payment` */
export const unknownId = (noun: string, id: unknown): UnknownIdError =>
  new UnknownIdError(`There is no ${noun} ${inspect(id)} in this sandbox.`);

/** Thrown by a control method that is not possible in the record's current status. */
export class IllegalTransitionError extends Error {
  /** Always `IllegalTransitionError`. Compare the name, because several copies of the class can be loaded. */
  override readonly name = 'IllegalTransitionError';
  /** The record's current status. */
  readonly status: string;
  /** The names of the control methods that are possible now. */
  readonly legal: readonly string[];

  constructor(message: string, status: string, legal: readonly string[]) {
    const possible = legal.length === 0 ? 'nothing' : legal.join(', ');
    super(`${message} Possible now: ${possible}.`);
    this.status = status;
    this.legal = Object.freeze([...legal]);
  }
}
