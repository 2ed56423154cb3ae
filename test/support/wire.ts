import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * The ways to cut a COMMIT. `before`: it never arrives. `on its way`: it arrives, but its response is lost.
 * `after`: it completes, but its response is lost.
 */
const cuts = ['before', 'on its way', 'after'] as const;

/** Encodes COMMIT as a simple query of PostgreSQL's protocol. */
const commit = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

/**
 * Puts a proxy between clients and a server. The proxy can cut connections, even exactly at a COMMIT, or
 * switch servers.
 */
export async function wireTo(port: number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let target = port;
  let commitsToCut = 0;
  let commitsCut = 0;
  let lastWords: string | undefined;
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const pair = [near, far] as const;
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    pairs.add(pair);
    let isDeaf = false;
    let hearsNothing = false;
    near.on('data', (bytes) => {
      if (lastWords !== undefined && bytes.includes(lastWords)) hearsNothing = isSilent = true;
      if (commitsToCut === 0 || !bytes.includes(commit)) return void far.write(bytes);
      commitsToCut--;
      const cut = cuts[commitsCut++ % cuts.length];
      isDeaf = true;
      if (cut === 'before') return end();
      far.write(bytes, () => cut === 'on its way' && end());
    });
    far.on('data', (bytes) => {
      if (isDeaf) end();
      else if (!hearsNothing) near.write(bytes);
    });
    for (const socket of pair) socket.on('error', end).on('close', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    drop,
    /** Routes new connections to another server, and closes the earlier connections. */
    leadTo(other: number) {
      target = other;
      drop();
    },
    cutNextCommits(number: number) {
      commitsToCut = number;
    },
    /**
     * Stops responses to a connection that sends these words, but keeps the connection open. Undefined
     * exempts new connections.
     */
    silenceAfter(words: string | undefined) {
      lastWords = words;
    },
    /** Returns whether a connection was silenced. */
    get isSilent() {
      return isSilent;
    },
    get commitsCut() {
      return commitsCut;
    },
    close() {
      drop();
      server.close();
    },
  };
}
