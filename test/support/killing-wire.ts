import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { WirePoint } from './kill-points.js';

/**
 * Finds the ends of a request's headers, of half its body and of its whole body. Undefined if the headers are
 * incomplete.
 */
function findPlaces(bytes: Buffer): { head: number; half: number; end: number } | undefined {
  const head = bytes.indexOf('\r\n\r\n') + 4;
  if (head < 4) return undefined;
  const [, length = '0'] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head)) ?? [];
  return { head, half: head + Math.floor(Number(length) / 2), end: head + Number(length) };
}

/** Runs wires between processes and a platform, and kills the processes on them. */
export class KillingWires {
  readonly #port: number;
  readonly #closing: (() => Promise<unknown>)[] = [];
  /** The requests of dead processes, by key. */
  readonly #late = new Map<string, Buffer>();

  /** @param port the platform's port */
  constructor(port: number) {
    this.#port = port;
  }

  /** Opens a wire that loses nothing. An attempt also delivers the late bytes with its key. */
  passing(): Promise<string> {
    return this.#listen((near, far) => {
      near.on('data', (bytes) => {
        for (const [key, request] of this.#late)
          if (bytes.includes(key)) {
            this.#late.delete(key);
            this.#platform().write(request);
          }
        far.write(bytes);
      });
      far.on('data', (bytes) => near.write(bytes));
    });
  }

  /** Opens a wire that kills the process, and then passes nothing in either direction. */
  killing(point: WirePoint, key: string, kill: () => void): Promise<string> {
    return this.#listen((near, far) => {
      if (point === 'connected') return kill();
      let arrived: Buffer = Buffer.alloc(0);
      near.on('data', (bytes) => {
        arrived = Buffer.concat([arrived, bytes]);
        const places = findPlaces(arrived);
        if (places === undefined) return;
        const { head, half, end } = places;
        if (point === 'head of the request') far.write(arrived.subarray(0, head), kill);
        else if (point === 'half of the body' && arrived.length >= half)
          far.write(arrived.subarray(0, half), kill);
        else if (arrived.length >= end) {
          if (point === 'request, executed with the next attempt') this.#late.set(key, arrived);
          if (point.startsWith('request')) kill();
          else far.write(arrived);
        }
      });
      far.on('data', (bytes) => {
        if (point === 'half of the response') near.write(bytes.subarray(0, bytes.length / 2), kill);
        else kill();
      });
    });
  }

  /** Delivers the requests of dead processes that are still on the wire. Resolves when the platform has responded. */
  async deliverLate(): Promise<void> {
    const requests = [...this.#late.values()];
    this.#late.clear();
    for (const request of requests) {
      const socket = this.#platform();
      socket.write(request);
      await once(socket, 'data');
      socket.destroy();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
  }

  #platform(): Socket {
    return connect(this.#port, '127.0.0.1').on('error', () => undefined);
  }

  async #listen(join: (near: Socket, far: Socket) => void): Promise<string> {
    const open = new Set<Socket>();
    const server = createServer((near) => {
      const pair = [near, this.#platform()] as const;
      const end = () => {
        for (const socket of pair) {
          open.delete(socket);
          socket.destroy();
        }
      };
      for (const socket of pair) open.add(socket.on('error', end).on('close', end));
      join(...pair);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#closing.push(async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}
