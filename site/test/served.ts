// Serves the built site like any static host: /pix is pix.html.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const folder = fileURLToPath(new URL('../dist/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

const findFile = (path: string) =>
  [path, `${path}.html`, join(path, 'index.html')]
    .map((name) => join(folder, normalize(name)))
    .find((name) => existsSync(name) && statSync(name).isFile());

/** Serves the site on a free port. */
export async function serve(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const file = findFile(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    if (file === undefined) return void response.writeHead(404).end(readFileSync(join(folder, '404.html')));
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
