/**
 * An error of this package's stores. It contains no query, no value of a row, and no library's own error,
 * which could contain both.
 */
export class StoreError extends Error {
  /** Always `StoreError`. */
  override readonly name = 'StoreError';
  /** PostgreSQL's SQLSTATE, such as `40001`. Otherwise the driver's code, such as `ECONNRESET`, if there is one. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}
