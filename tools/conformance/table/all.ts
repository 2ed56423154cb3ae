import { operationRecords } from '../../../test/operations/index.js';
import { type Entry, under } from './entry.js';
import { resourceEntries } from './resources.js';
import { ruleEntries } from './rules.js';

/** Every statement of the API docs. The records of the operations have those about endpoints. */
export const table: readonly Entry[] = [
  ...resourceEntries,
  ...Object.values(operationRecords).flatMap(({ section, statements }) =>
    statements === undefined ? [] : under(section, statements.prefix, statements.lines),
  ),
  ...ruleEntries,
];
