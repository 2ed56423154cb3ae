import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploading } from '../../support/uploading.js';

const size = 200 * 1024 * 1024;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['path', 32],
  // V8 collects a read stream's own allocations only above 32 MB.
  ['stream', 64],
])('a 200 MB upload from a %s increases memory use by less than %i MB', async (as, most) => {
  const path = join(folder, 'large.bin');
  await writeFile(path, '');
  await truncate(path, size);
  const { received, stdout } = await uploading('upload-large.ts', [path, as]);
  const { grown, sent } = JSON.parse(stdout) as { grown: number; sent: number };
  expect(sent).toBeGreaterThan(size);
  expect(received).toBeGreaterThan(sent);
  expect(grown / 1024 / 1024).toBeLessThan(most);
});

test.each([
  ['node', 64],
  ['ky', 96],
])(
  'on the %s engine, a 2 MB upload from a stream of single bytes increases memory use by less than %i MB (row 58)',
  async (engine, most) => {
    const { received, stdout } = await uploading('upload-crumbs.ts', [engine, `${2 * 1024 * 1024}`]);
    const { grown } = JSON.parse(stdout) as { grown: number };
    expect(received).toBeGreaterThan(2 * 1024 * 1024);
    // The bytes did not arrive in one-byte chunks.
    expect(received).toBeLessThan(2.1 * 1024 * 1024);
    expect(grown / 1024 / 1024).toBeLessThan(most);
  },
);

test.each([
  ['node', 160, 1],
  ['ky', 160, 1],
  ['node', 4, 20],
  ['ky', 4, 20],
])(
  'on the %s engine, uploads of %i MB (%i at once) increase memory use by less than 96 MB (row 74)',
  async (engine, megabytes, count) => {
    const { received, stdout } = await uploading('upload-fetch.ts', [engine, `${megabytes}`, `${count}`]);
    const { grown } = JSON.parse(stdout) as { grown: number };
    expect(received).toBeGreaterThan(megabytes * count * 1024 * 1024);
    expect(grown / 1024 / 1024).toBeLessThan(96);
  },
);
