import { endpointEntries } from './endpoints.js';
import type { Entry } from './entry.js';
import { resourceEntries } from './resources.js';
import { ruleEntries } from './rules.js';

/** Every statement of the API docs. */
export const table: readonly Entry[] = [...resourceEntries, ...endpointEntries, ...ruleEntries];
