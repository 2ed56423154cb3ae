import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { findFreePort } from './free-port.js';

const run = promisify(execFile);

const folders = [
  ...(process.env.PATH ?? '').split(':'),
  '/usr/sbin',
  // Debian installs initdb in this folder.
  ...(existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []),
];

/** Finds a program's path; undefined if it is not installed. */
const findProgram = (program: string) =>
  folders.map((folder) => join(folder, program)).find((path) => existsSync(path));

export const isInstalled = (...programs: string[]) =>
  programs.every((program) => findProgram(program) !== undefined);

/** Returns another user if this process is root, because PostgreSQL and PgBouncer refuse to run as root. */
function findUser(program: string): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0 || /^(redis|valkey)-server$/.test(program)) return {};
  const id = (kind: string) => Number(execFileSync('id', [kind, 'postgres']));
  return { uid: id('-u'), gid: id('-g') };
}

/** Resolves when a check holds. Rejects after about ten seconds. */
async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await check()) return;
    await setTimeout(30);
  }
  throw new Error(`This did not happen: ${what}`);
}

/** Checks whether a server listens on the port. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Redis, or Valkey, which has the same options and commands. */
export type RedisProgram = 'redis-server' | 'valkey-server';

/** The ports of a cluster. */
export interface RedisCluster {
  readonly masters: readonly [number, number, number];
  /** Replicates the first master. */
  readonly replica: number;
}

/** The servers of a run, in a folder that is removed with them. */
export class Servers {
  readonly folder = mkdtempSync(join(tmpdir(), 'scale-'));
  readonly #children = new Map<ChildProcess, NodeJS.Signals>();

  constructor() {
    const { uid, gid } = findUser('postgres');
    if (uid !== undefined && gid !== undefined) chownSync(this.folder, uid, gid);
  }

  async redis(
    port?: number,
    program: RedisProgram = 'redis-server',
    more: readonly string[] = [],
  ): Promise<{ port: number; kill(): Promise<void> }> {
    const own = port ?? (await findFreePort());
    const args = ['--port', String(own), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const kill = await this.#spawn(program, [...args, '--repl-diskless-sync-delay', '0', ...more], own);
    return { port: own, kill };
  }

  /** Starts a cluster of three masters, which share the hash slots. The first master also has a replica. */
  async redisCluster(program: RedisProgram = 'redis-server'): Promise<RedisCluster> {
    const ports = [];
    // One after another, so that no two nodes choose the same free port.
    for (let node = 0; node < 4; node++) ports.push(await this.#clusterNode(program));
    const nodes = ports.map(({ port }) => new Redis(port, '127.0.0.1'));
    try {
      const [first, , , replica] = nodes as [Redis, Redis, Redis, Redis];
      const last = [5_460, 10_922, 16_383];
      for (const [index, node] of nodes.entries()) {
        await node.cluster('SET-CONFIG-EPOCH', index + 1);
        const from = (last[index - 1] ?? -1) + 1;
        const to = last[index];
        if (to !== undefined) await node.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
      }
      for (const { port, bus } of ports.slice(1))
        await first.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(bus));
      const isJoined = async (node: Redis) => {
        const info = String(await node.cluster('INFO'));
        return /cluster_state:ok/.test(info) && /cluster_known_nodes:4\b/.test(info);
      };
      for (const node of nodes) await until('all nodes joined', () => isJoined(node));
      await replica.cluster('REPLICATE', await first.cluster('MYID'));
      await until('the replica follows', async () =>
        /master_link_status:up/.test(await replica.info('replication')),
      );
    } finally {
      for (const node of nodes) node.disconnect();
    }
    const [master = 0, second = 0, third = 0, replica = 0] = ports.map(({ port }) => port);
    return { masters: [master, second, third], replica };
  }

  async #clusterNode(program: RedisProgram): Promise<{ port: number; bus: number }> {
    const [port, bus] = [await findFreePort(), await findFreePort()];
    const settings = { 'cluster-enabled': 'yes', 'cluster-port': bus, 'cluster-config-file': `${port}.conf` };
    const more = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
    await this.redis(port, program, more);
    return { port, bus };
  }

  /** Starts a Sentinel that follows one master, called `shop`. */
  async sentinel(master: number): Promise<number> {
    const port = await findFreePort();
    const path = join(this.folder, `sentinel-${port}.conf`);
    writeFileSync(path, `port ${port}\nbind 127.0.0.1\nsentinel monitor shop 127.0.0.1 ${master} 1\n`);
    await this.#spawn('redis-server', [path, '--sentinel'], port);
    return port;
  }

  /**
   * Starts a PostgreSQL, or a standby of another. `restart` kills it, and starts it again on its port and
   * data.
   */
  async postgres(
    name: string,
    primary?: number,
  ): Promise<{
    port: number;
    kill(): Promise<void>;
    restart(): Promise<void>;
    promote(): Promise<void>;
  }> {
    const data = join(this.folder, name);
    const port = await findFreePort();
    if (primary === undefined) {
      await this.#run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync']);
    } else {
      const from = `host=127.0.0.1 port=${primary} user=postgres application_name=standby`;
      await this.#run('pg_basebackup', ['-D', data, '-d', from, '-R', '-X', 'stream', '-c', 'fast']);
    }
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' };
    const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const start = () => this.#spawn('postgres', ['-D', data, '-p', String(port), ...args], port);
    let kill = await start();
    const restart = async () => {
      await kill();
      kill = await start();
    };
    const promote = () => this.#run('pg_ctl', ['promote', '-w', '-D', data]);
    return { port, kill: () => kill(), restart, promote };
  }

  /** Starts PgBouncer in transaction mode. */
  async pgbouncer(postgres: number): Promise<number> {
    const port = await findFreePort();
    const path = (name: string) => join(this.folder, name);
    writeFileSync(path('users'), '"postgres" ""\n');
    writeFileSync(
      path('pgbouncer.ini'),
      `[databases]
postgres = host=127.0.0.1 port=${postgres} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${path('users')}
pool_mode = transaction
default_pool_size = 60
max_client_conn = 500
server_login_retry = 0.2
`,
    );
    await this.#spawn('pgbouncer', ['-q', path('pgbouncer.ini')], port);
    return port;
  }

  close(): void {
    for (const [child, signal] of this.#children) child.kill(signal);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    await run(findProgram(program) ?? program, args, { cwd: this.folder, ...findUser(program) });
  }

  /** Starts a server. Resolves with a function that ends it at once. */
  async #spawn(program: string, args: readonly string[], port: number): Promise<() => Promise<void>> {
    const options = { cwd: this.folder, stdio: 'ignore', ...findUser(program) } as const;
    const child = spawn(findProgram(program) ?? program, args, options);
    // SIGQUIT ends PostgreSQL at once, including its child processes.
    const signal = program === 'postgres' ? 'SIGQUIT' : 'SIGKILL';
    this.#children.set(child, signal);
    await until(`${program} listens`, () => isListening(port));
    return async () => {
      this.#children.delete(child);
      child.kill(signal);
      await once(child, 'exit');
    };
  }
}
