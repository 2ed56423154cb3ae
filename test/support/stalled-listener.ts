import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';

interface StalledListener {
  readonly url: string;
  readonly port: number;
  /** Accepts the waiting connections. The system retries a rejected connection after a second. */
  letIn(): void;
  close(): Promise<void>;
}

/**
 * Opens a port that accepts no connection until the test allows it: a process listens with the shortest queue
 * and
 * accepts nothing, so once the queue is full the system ignores further connections.
 *
 * @param body the response to every request, once connections are accepted
 */
export async function stalledListener(body = '{}'): Promise<StalledListener> {
  const script = `
    const { readSync, writeSync } = require('node:fs');
    const server = require('node:http').createServer((_, response) => response.end(process.argv[1]));
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      writeSync(1, String(server.address().port));
      readSync(0, Buffer.alloc(1));
    });`;
  const child: ChildProcess = spawn(process.execPath, ['-e', script, body], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer];
  const filling = Array.from({ length: 8 }, () =>
    net.connect(Number(port), '127.0.0.1').on('error', () => undefined),
  );
  await Promise.all(filling.slice(0, 2).map((socket) => once(socket, 'connect')));
  return {
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    letIn: () => void child.stdin?.write('.'),
    close: async () => {
      for (const socket of filling) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
