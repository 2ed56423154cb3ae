import http from 'node:http';
import net from 'node:net';

/** A connection that fails with a code shared by other failures. */
export interface LostConnection {
  /** The first lost connection, counted from 1. */
  readonly nth: number;
  /**
   * `connecting`: before the connection opens; `responding`: during the response, after the request was
   * executed.
   */
  readonly when: 'connecting' | 'responding';
  readonly code: string;
}

const broken = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** Loses connections on demand: in a fetch, and under node:http with real sockets. */
export class Connections {
  /** The number of connections lost so far. */
  lost = 0;
  #rule: LostConnection | undefined;
  #seen = { connecting: 0, responding: 0 };

  /** Sets the next loss, which happens once; undefined clears it. */
  lose(rule: LostConnection | undefined): void {
    this.#rule = rule;
    this.#seen = { connecting: 0, responding: 0 };
  }

  fetch(inner: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const unmade = this.#next('connecting');
      if (unmade !== undefined) throw new TypeError('fetch failed', { cause: unmade });
      const response = await inner(input, init);
      const cut = this.#next('responding');
      if (cut === undefined) return response;
      response.body?.cancel().catch(() => undefined);
      throw new TypeError('fetch failed', { cause: cut });
    };
  }

  agent(): http.Agent {
    const agent = new http.Agent({ keepAlive: true });
    agent.createConnection = (options) => {
      const unmade = this.#next('connecting');
      if (unmade !== undefined) {
        const socket = new net.Socket();
        process.nextTick(() => socket.destroy(unmade));
        return socket;
      }
      const socket = net.connect(options as net.NetConnectOpts);
      const push = socket.push;
      // These are a response's bytes before any reader sees them.
      socket.push = (chunk, encoding) => {
        const cut = chunk === null ? undefined : this.#next('responding');
        if (cut === undefined) return push.call(socket, chunk, encoding);
        socket.destroy(cut);
        return false;
      };
      return socket;
    };
    return agent;
  }

  #next(when: LostConnection['when']): Error | undefined {
    this.#seen[when]++;
    const rule = this.#rule;
    if (rule?.when !== when || this.#seen[when] !== rule.nth) return undefined;
    this.lost++;
    return broken(rule.code, when === 'connecting' ? 'connect' : 'read');
  }
}
