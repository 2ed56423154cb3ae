// The rows of the table of environments, by family. Each family creates its rows without running anything.
import { bun } from './bun.mjs';
import { bundlers } from './bundlers.mjs';
import { deno } from './deno.mjs';
import { durable } from './durable.mjs';
import { elsewhere } from './elsewhere.mjs';
import { jest } from './jest.mjs';
import { next } from './next.mjs';
import { node } from './node.mjs';
import { prisma } from './prisma.mjs';
import { typescript } from './typescript.mjs';
import { vitest } from './vitest.mjs';
import { workers } from './workers.mjs';

export const families = {
  node,
  bun,
  deno,
  workers,
  jest,
  vitest,
  bundlers,
  next,
  typescript,
  durable,
  prisma,
  elsewhere,
};
