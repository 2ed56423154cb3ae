import { parseJson, TooDeepError } from '../contract/json.js';

/** A body read as JSON. */
export interface JsonBody {
  /** Undefined where there is none, or where it is not JSON. */
  readonly value: unknown;
  /** Why it is not JSON. */
  readonly objection?: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readJson(bytes: Uint8Array): JsonBody {
  if (bytes.length === 0) return { value: undefined, objection: 'The body is empty; JSON is expected.' };
  try {
    return { value: parseJson(utf8.decode(bytes)) };
  } catch (error) {
    return { value: undefined, objection: objectionTo(error) };
  }
}

function objectionTo(error: unknown): string {
  if (error instanceof TooDeepError) return `The body is not acceptable: ${error.message}.`;
  return error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
}
