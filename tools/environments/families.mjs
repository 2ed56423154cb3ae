// The rows of the table of environments, by family. Each family creates its rows without running anything.
import { next } from './next.mjs';
import { prisma } from './prisma.mjs';
import { programFamilies } from './rows.mjs';
import { workers } from './workers.mjs';

const { node, bun, deno, jest, vitest, bundlers, typescript, durable, elsewhere } = programFamilies;

/** @typedef {{ readonly environment: string, readonly version: string, readonly use: string }} Row */

/** @type {Readonly<Record<string, (workspace: any) => readonly Row[]>>} */
export const families = {
  ...{ node, bun, deno, workers, jest, vitest, bundlers, next, typescript, durable, prisma, elsewhere },
};
