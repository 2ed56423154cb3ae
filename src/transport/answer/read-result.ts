import { rename, type WireNames } from '../field-names.js';
import type { Trip } from '../prepare/prepare-call.js';
import type { EngineResponse } from '../send/engine.js';
import { readFile, readJson, readObject, Unreadable } from './read-body.js';

/**
 * The data of a 2xx answer, under the SDK's names.
 *
 * @throws Unreadable
 */
export function dataOf(response: EngineResponse, trip: Trip, wireNames: WireNames): object {
  if (trip.response === 'none') return {};
  if (trip.response === 'file') return readFile(response.body, response.head.header('content-type'));
  if (trip.response === 'json') return structure(response, trip);
  if (trip.response === 'unspecified') return anything(response);
  const data = readObject(response.body);
  if (trip.names !== undefined) rename(data, wireNames.groups[trip.names].inward);
  return data;
}

/** An object or a list. A bare number could be the rest of something longer. */
function structure({ head, body }: EngineResponse, { method }: Trip): object {
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
