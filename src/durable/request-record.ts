import type { RecordedRequest } from './recorded-request.js';

/**
 * The recorded state of a withdrawal or registration, without its payload. A withdrawal can be `in_doubt`: it may
 * have been executed, nothing is sent, and a person decides with `confirm` or `dismiss`.
 */
export interface DurableRecord<Result extends object = object> extends RecordedRequest {
  /** The platform's response, if known. */
  readonly result: Result | undefined;
}
