/** A body's encoding, by its content type. */
type BodyEncoding = 'json' | 'multipart' | 'form' | 'other';

/** The body of a request. */
export interface RequestBody {
  readonly encoding: BodyEncoding;
  /** The parsed body; undefined if the body is empty or cannot be read. */
  readonly value: unknown;
  /** Whether nothing was sent. */
  readonly isEmpty?: boolean;
  /** The reason why the body cannot be read. */
  readonly problem?: string;
}

export const contentTypes = Object.freeze({
  json: 'application/json',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
});
