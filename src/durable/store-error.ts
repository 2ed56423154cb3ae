/**
 * What is shown of an error of a store: its message and code. A database adds the row that failed (`detail`) and the
 * parameters of the statement, which are the payer's data.
 */
export function storeError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error('The store threw what is no error.');
  const { message, name, stack, code } = thrown as Error & { readonly code?: unknown };
  const shown = new Error(message.slice(0, 1_000));
  const known = { name, stack, ...(typeof code === 'string' && { code }) };
  for (const [property, value] of Object.entries(known))
    Object.defineProperty(shown, property, { value, configurable: true, writable: true });
  return shown;
}
