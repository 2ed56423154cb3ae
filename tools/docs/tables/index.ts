import type { Language } from '../words.js';
import { apiDocumentTables } from './api-document.js';
import { doctorTables } from './doctor.js';
import { durableTables } from './durable.js';
import { errorTables } from './errors.js';
import { faultTables } from './faults.js';
import { journeyTables } from './journeys.js';
import { limitTables } from './limits.js';
import { receiverTables } from './receiver.js';
import { retryTables } from './retries.js';

/** Returns the titles and rows of each table in pages that are written by hand, by the name in its comment. */
export const tables: Readonly<Record<string, (language: Language) => string[][]>> = {
  ...apiDocumentTables,
  ...doctorTables,
  ...durableTables,
  ...errorTables,
  ...faultTables,
  ...journeyTables,
  ...limitTables,
  ...receiverTables,
  ...retryTables,
};
