type BodyEncoding = 'json' | 'multipart' | 'form' | 'other';

export interface RequestBody {
  readonly encoding: BodyEncoding;
  /** Undefined if the body is empty or cannot be read. */
  readonly value: unknown;
  readonly isEmpty?: boolean;
  /** Why the body cannot be read. */
  readonly problem?: string;
}

export const contentTypes = Object.freeze({
  json: 'application/json',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
});
