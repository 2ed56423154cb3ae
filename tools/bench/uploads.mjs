/**
 * Measures the memory of uploads in each runtime: `npm run bench -- --only uploads`. Runtimes other than this
 * Node come from `RUNTIMES='/path/to/bun;/path/to/deno run -A'`. Files are created on the fly and sent over
 * loopback.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { print } from './table.mjs';

const upload = new URL('upload.mjs', import.meta.url).pathname;
const responseBody = JSON.stringify({
  registration_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  status: 'submitted',
});

async function run(command, ...args) {
  const [program, ...rest] = command.split(' ');
  const child = spawn(program, [...rest, upload, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(printed);
}

export async function benchUploads() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () =>
      response.writeHead(202, { 'content-type': 'application/json' }).end(responseBody),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const others = (process.env.RUNTIMES ?? '').split(';').filter((command) => command !== '');
  const rows = [];
  for (const command of [process.execPath, ...others]) {
    const engines = command === process.execPath ? ['node', 'fetch'] : ['fetch'];
    for (const engine of engines) {
      for (const [megabytes, count] of [
        [1_000, 1],
        [20, 100],
      ]) {
        const { grown, late, seconds } = await run(command, url, engine, megabytes, count);
        const what = `${count} x ${megabytes} MB`;
        rows.push([
          basename(command.split(' ')[0]),
          engine,
          what,
          grown.toFixed(0),
          late.toFixed(0),
          seconds.toFixed(1),
        ]);
      }
    }
  }
  server.close();
  print('uploads: growth of memory in MB, the latest timer in ms, seconds', [
    ['', 'engine', 'sent', 'MB', 'late', 's'],
    ...rows,
  ]);
}
