import type { WireNames } from '../../contract/wire-names.js';
import type { CallSpec } from '../prepare/call-spec.js';
import type { EngineResponse } from '../send/engine.js';
import { readFile, readJson, readObject, Unreadable } from './read-body.js';

/**
 * The data of a 2xx answer, under the SDK's names.
 *
 * @throws Unreadable
 */
export function dataOf(response: EngineResponse, spec: CallSpec, names: WireNames): object {
  switch (spec.result) {
    case 'none':
      return {};
    case 'file':
      return readFile(response.body, response.head.header('content-type'));
    case 'json':
      return structure(response, spec);
    case 'unspecified':
      return anything(response);
    case 'object':
      return names.fromWire(spec.fields?.response, readObject(response.body));
  }
}

/** An object or a list. A bare number could be the rest of something longer. */
function structure({ head, body }: EngineResponse, { method }: CallSpec): object {
  if (body.length === 0 && (head.status === 204 || method === 'HEAD')) return {};
  const value = readJson(body);
  if (typeof value === 'object' && value !== null) return value;
  throw new Unreadable('the body is neither an object nor a list');
}

/**
 * A success of which the document shows nothing but the status: whatever came, the platform carried it
 * out. An object or a list is the result, and for anything else there is an empty one. Only what must
 * be an accident is refused: a page, which a proxy puts in the place of an answer, and JSON that is not
 * whole, because a repeat can bring the whole of it.
 */
function anything({ head, body }: EngineResponse): object {
  if (body.length === 0) return {};
  const type = head.header('content-type') ?? '';
  const isPage = /html/i.test(type) || /^\s*</.test(new TextDecoder().decode(body.subarray(0, 64)));
  if (!isPage && type !== '' && !/json/i.test(type)) return {};
  const value = readJson(body);
  if (typeof value === 'object' && value !== null) return value;
  // `12` may be the beginning of `1234`, where nothing but the end of the connection ends the body.
  const isFramed = head.header('content-length') ?? head.header('transfer-encoding');
  if (typeof value === 'number' && isFramed === undefined) throw new Unreadable('the body may be cut short');
  return {};
}
