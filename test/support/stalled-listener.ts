import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';

/**
 * A port that lets nobody in: a process listens with the shortest queue and never accepts, so once
 * the queue is full the system leaves further connections unanswered.
 */
export async function stalledListener(): Promise<{ url: string; close(): Promise<void> }> {
  const script = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child: ChildProcess = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer];
  const filling = Array.from({ length: 8 }, () =>
    net.connect(Number(port), '127.0.0.1').on('error', () => undefined),
  );
  await Promise.all(filling.slice(0, 2).map((socket) => once(socket, 'connect')));
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of filling) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
