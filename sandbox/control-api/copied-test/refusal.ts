/** For a run that is too long or too old. */
export const withoutRun = 'Copy one payment, or reset the sandbox first';

/** @param why a clause, such as `it calls control.domains.verify` */
export function refuse(why: string, remedy = 'Copy a payment without it, or reset the sandbox first'): never {
  throw new Error(`A test cannot repeat this, because ${why}. ${remedy}.`);
}
