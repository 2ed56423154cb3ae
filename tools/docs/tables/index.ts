import type { Language } from '../words.js';
import { doctorTables } from './doctor.js';
import { durableTables } from './durable.js';
import { errorTables } from './errors.js';
import { faultTables } from './faults.js';
import { limitTables } from './limits.js';
import { receiverTables } from './receiver.js';
import { retryTables } from './retries.js';

/** A text in both languages. */
export type Both = Readonly<Record<Language, string>>;

/** Returns the titles and rows of a table that the generator writes into a page. */
export type InsertedTable = (language: Language) => string[][];

/** The tables of behaviour in pages that are written by hand, by the name in their comment. */
export const tables: Readonly<Record<string, InsertedTable>> = {
  ...doctorTables,
  ...durableTables,
  ...errorTables,
  ...faultTables,
  ...limitTables,
  ...receiverTables,
  ...retryTables,
};
