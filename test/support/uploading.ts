import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { bundledScript } from './bundled-script.js';
import { accept } from './form-server.js';

const run = promisify(execFile);

/** Runs a script of this folder in its own process, against a server that counts the received bytes. */
export async function uploading(script: string, args: readonly string[]) {
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
      await bundledScript(new URL(script, import.meta.url)),
      `http://127.0.0.1:${port}`,
      ...args,
    ],
    { timeout: 240_000 },
  );
  server.closeAllConnections();
  server.close();
  return { received, stdout };
}
