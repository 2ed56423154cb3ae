import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundledScript } from '../../support/bundled-script.js';
import { accept } from '../../support/form-server.js';
import { jpeg } from '../../support/onboarding.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const uploads = 1_000;
let path = '';
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'many-')), 'selfie.jpg');
  await writeFile(path, jpeg);
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

test.skipIf(process.platform === 'win32').each([
  ['node', ['done']],
  // fetch opens a connection for each call, and the SDK retries after a failure to open one.
  ['ky', ['done', 'ConnectionError not-executed']],
])(
  '1,000 uploads on the %s engine can all read their files with 256 file descriptors (row 34)',
  async (engine, allowed) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => accept(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const script = await bundledScript(new URL('../../support/upload-many.ts', import.meta.url));
    const node = [process.execPath, script, `http://127.0.0.1:${port}`, path, engine, `${uploads}`];
    const { stdout } = await run('sh', ['-c', 'ulimit -n 256; exec "$@"', 'sh', ...node], {
      cwd: root,
      timeout: 120_000,
    });
    server.closeAllConnections();
    server.close();
    const ends = JSON.parse(stdout) as Record<string, number>;
    expect(allowed).toEqual(expect.arrayContaining(Object.keys(ends)));
    expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(uploads);
  },
);
