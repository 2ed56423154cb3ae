import { isRecord } from '../input/record.js';

/** The object that a text of a row has; undefined if it has none: a row may have been changed by hand. */
export function parsedObject(text: string | null | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
