import { takeNewest } from '../arguments/list-part.js';
import { optionalInteger, text } from './fields.js';

const maxListed = 1_000;

export const limit = optionalInteger('The maximum number of items in the response.', {
  from: 1,
  to: maxListed,
  unit: 'the number of items',
});

export const defaultLimit = 100;

/** For a list that is read from its end. */
export const part = {
  limit,
  before: text('The id of an item. The response contains only older items.'),
};

export function selectPart<Item>(
  items: readonly Item[],
  query: { readonly limit?: number | undefined; readonly before?: string | undefined },
  noun: string,
  getId: (item: Item) => string,
): { data: Item[] } {
  return { data: takeNewest(items, { ...query, limit: query.limit ?? defaultLimit }, { noun, getId }) };
}
