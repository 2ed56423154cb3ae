import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept } from '../../support/form-server.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const size = 200 * 1024 * 1024;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a script of test/support in a process of its own, against a server that counts what it is sent. */
async function uploading(script: string, args: readonly string[]) {
  let received = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    request.on('end', () => accept(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const path = join(root, 'test/support', script);
  const { stdout } = await run(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', path, `http://127.0.0.1:${port}`, ...args],
    { cwd: root, timeout: 120_000 },
  );
  server.closeAllConnections();
  server.close();
  return { received, stdout };
}

test.each([
  ['path', 32],
  // What a read stream itself allocates, V8 collects only when it is more than 32 MB.
  ['stream', 64],
])(
  '200 MB from a %s: memory grows by less than %i MB',
  async (as, most) => {
    const path = join(folder, 'large.bin');
    await writeFile(path, '');
    await truncate(path, size);
    const { received, stdout } = await uploading('upload-large.ts', [path, as]);
    const { grown, sent } = JSON.parse(stdout) as { grown: number; sent: number };
    expect(sent).toBeGreaterThan(size);
    expect(received).toBeGreaterThan(sent);
    expect(grown / 1024 / 1024).toBeLessThan(most);
  },
  60_000,
);

test.each([
  ['node', 64],
  ['ky', 96],
])(
  'on the %s engine 2 MB of a stream, byte by byte: memory grows by less than %i MB (row 58)',
  async (engine, most) => {
    const { received, stdout } = await uploading('upload-crumbs.ts', [engine, `${2 * 1024 * 1024}`]);
    const { grown } = JSON.parse(stdout) as { grown: number };
    expect(received).toBeGreaterThan(2 * 1024 * 1024);
    // The connection did not carry each byte in a chunk of its own.
    expect(received).toBeLessThan(2.1 * 1024 * 1024);
    expect(grown / 1024 / 1024).toBeLessThan(most);
  },
  60_000,
);

test.each([
  ['node', 160, 1],
  ['ky', 160, 1],
  ['node', 4, 20],
  ['ky', 4, 20],
])(
  'on the %s engine %i MB, %i at once: memory does not grow with what is sent, and timers fire (row 74)',
  async (engine, megabytes, count) => {
    const { received, stdout } = await uploading('upload-fetch.ts', [engine, `${megabytes}`, `${count}`]);
    const { grown, late } = JSON.parse(stdout) as { grown: number; late: number };
    expect(received).toBeGreaterThan(megabytes * count * 1024 * 1024);
    expect(grown / 1024 / 1024).toBeLessThan(96);
    expect(late).toBeLessThan(1_000);
  },
  60_000,
);
