import { integerReader, type OptionReaders } from '../../src/validation/options.js';
import { aText } from './checked-options.js';
import { unknownId } from './control-errors.js';

/** Selects a part of a list, counted from the list's end. */
export interface ListPart {
  /** The maximum number of items, at least 1. The newest are returned. Default: all. */
  limit?: number | undefined;
  /** The id of an item. Selects only items that are older than this one. */
  before?: string | undefined;
}

export const listPartReaders: OptionReaders<ListPart> = {
  limit: integerReader(1, 'the number of items'),
  before: aText,
};

interface Items<Item> {
  /** The word for an item in messages. */
  readonly noun: string;
  readonly getId: (item: Item) => string;
  readonly matches?: (item: Item) => boolean;
}

/** The result is oldest first, as in the list. */
export function takeNewest<Item>(
  list: readonly Item[],
  { limit = Number.POSITIVE_INFINITY, before }: ListPart,
  { noun, getId, matches = () => true }: Items<Item>,
): Item[] {
  const end = before === undefined ? list.length : list.findLastIndex((item) => getId(item) === before);
  if (end === -1) throw unknownId(noun, before);
  const newest: Item[] = [];
  for (let index = end - 1; index >= 0 && newest.length < limit; index--) {
    const item = list[index] as Item;
    if (matches(item)) newest.push(item);
  }
  return newest.reverse();
}
