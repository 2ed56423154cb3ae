import type { EngineResponse } from './engine.js';
import { rename, type WireNames } from './field-names.js';
import type { Trip } from './prepare.js';
import { readFile, readJson, readObject, Unreadable } from './read.js';

/**
 * The data of a 2xx answer, under the SDK's names.
 *
 * @throws Unreadable
 */
export function dataOf(response: EngineResponse, trip: Trip, wireNames: WireNames): object {
  if (trip.response === 'none') return {};
  if (trip.response === 'file') return readFile(response.body, response.head.header('content-type'));
  if (trip.response === 'unspecified') return structure(response, trip);
  const data = readObject(response.body);
  if (trip.names !== undefined) rename(data, wireNames.groups[trip.names].inward);
  return data;
}

/** An answer whose shape is not shown: an object or a list. A bare number could be the rest of something longer. */
function structure({ head, body }: EngineResponse, { method }: Trip): object {
  if (body.length === 0 && (head.status === 204 || method === 'HEAD')) return {};
  const value = readJson(body);
  if (typeof value === 'object' && value !== null) return value;
  throw new Unreadable('the body is neither an object nor a list');
}
