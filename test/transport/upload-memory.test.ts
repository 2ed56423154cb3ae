import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept } from '../support/form-server.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const size = 200 * 1024 * 1024;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-'));
});
afterAll(() => rm(folder, { recursive: true }));

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
    let received = 0;
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.on('end', () => accept(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { stdout } = await run(
      process.execPath,
      [
        '--expose-gc',
        '--import',
        'tsx',
        join(root, 'test/support/upload-large.ts'),
        `http://127.0.0.1:${port}`,
        path,
        as,
      ],
      { cwd: root, timeout: 120_000 },
    );
    server.closeAllConnections();
    server.close();
    const { grown, sent } = JSON.parse(stdout) as { grown: number; sent: number };
    expect(sent).toBeGreaterThan(size);
    expect(received).toBeGreaterThan(sent);
    expect(grown / 1024 / 1024).toBeLessThan(most);
  },
  60_000,
);
