// The rows of the table of environments, by family. Each family creates its rows without running anything.
import { bun } from './bun.mjs';
import { bundlers } from './bundlers.mjs';
import { deno } from './deno.mjs';
import { durable } from './durable.mjs';
import { jest } from './jest.mjs';
import { next } from './next.mjs';
import { node } from './node.mjs';
import { prisma } from './prisma.mjs';
import { typescript } from './typescript.mjs';
import { vitest } from './vitest.mjs';
import { workers } from './workers.mjs';

// Platforms that no row of the table can test. Each names the closest row that is tested, so that nobody
// assumes that the platform itself was.
const places = [
  {
    environment: 'AWS Lambda',
    use: 'the AWS service',
    unavailable: 'needs an account; the bundles above are loaded the same way',
  },
  {
    environment: 'Cloudflare Workers',
    use: 'the Cloudflare network',
    unavailable: 'needs an account; workerd, tested above, is the same runtime',
  },
  {
    environment: 'Vercel',
    use: 'the edge network',
    unavailable: 'needs an account; `next start`, tested above, uses the same edge runtime',
  },
  ...['win32', 'darwin', 'linux']
    .filter((platform) => platform !== process.platform)
    .map((platform) => ({
      environment: 'Node',
      use: `on ${platform}`,
      unavailable: 'needs another machine',
    })),
];

const elsewhere = () => places.map((place) => ({ version: 'any', ...place }));

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
