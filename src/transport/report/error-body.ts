import type { ErrorBody } from '../../errors/base.js';
import { isRecord } from '../../input/record.js';
import type { ShownText } from '../redact/shown-text.js';
import { namedFields } from './named-fields.js';

/** Longer messages are cut. In characters. */
const maxMessage = 300;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The first text among some fields of the usual shapes: the body itself, and its `error`. */
function textAt(body: unknown, names: readonly string[]): string | undefined {
  if (isText(body)) return names.includes('message') ? body : undefined;
  if (!isRecord(body)) return undefined;
  const error = body.error;
  if (isText(error) && names.includes('message') && !isText(body.message)) return error;
  const holders = [isRecord(error) ? error : {}, body];
  return holders.flatMap((holder) => names.map((name) => holder[name])).find(isText);
}

/** What is shown of the body of a failed call; undefined if nothing of it is. Its shape is undocumented. */
export function shownBody(body: unknown, shown: ShownText): ErrorBody | undefined {
  const code = textAt(body, ['code', 'type']);
  const message = textAt(body, ['message', 'detail', 'title', 'error_description']);
  const line = message === undefined ? undefined : shown.text(message.trim());
  const shownFields = namedFields(body).map((field) => shown.path(field));
  const fields = [...new Set(shownFields)].filter((field) => field !== undefined);
  const found: ErrorBody = {
    ...(code !== undefined && shown.isName(code) && { code }),
    ...(line !== undefined && { message: line.length > maxMessage ? `${line.slice(0, maxMessage)}…` : line }),
    ...(fields.length > 0 && { fields }),
  };
  // Each may be harmless, and all of them together spell what is not.
  const all = [found.code, found.message, ...(found.fields ?? [])].join(' ');
  return Object.keys(found).length === 0 || shown.spellsHidden(all) ? undefined : found;
}
