import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import type { RedisCluster } from './servers.js';

/** Changes a running cluster, as its administrator does. */
export class ClusterAdministrator {
  readonly #nodes: readonly Redis[];

  constructor({ masters, replica }: RedisCluster) {
    this.#nodes = [...masters, replica].map((port) => new Redis(port, '127.0.0.1'));
  }

  /** Creates a prefix that puts all keys into one hash slot, which belongs to the master with the replica. */
  async createPrefix(): Promise<string> {
    for (;;) {
      // Redis computes the slot from the characters between the braces.
      const prefix = `{${randomUUID()}}`;
      if ((await this.#findSlot(prefix)) <= 5_460) return prefix;
    }
  }

  /** Moves the hash slot of a prefix to the next master, one key after another. */
  async moveSlot(prefix: string): Promise<void> {
    const slot = await this.#findSlot(prefix);
    const masters = await this.#findMasters();
    const owner = await this.#findOwner(masters, slot);
    const target = masters[(masters.indexOf(owner) + 1) % masters.length] as Redis;
    const setSlot = async (node: Redis, state: string, other: Redis) =>
      node.call('CLUSTER', 'SETSLOT', String(slot), state, await other.cluster('MYID'));
    await setSlot(target, 'IMPORTING', owner);
    await setSlot(owner, 'MIGRATING', target);
    for (;;) {
      const [key] = await owner.cluster('GETKEYSINSLOT', slot, 1);
      if (key === undefined) break;
      await owner.call('MIGRATE', '127.0.0.1', String(target.options.port), key, '0', '5000');
    }
    // The target must know first. Otherwise, it would send clients back to the previous owner.
    for (const node of new Set([target, ...masters])) await setSlot(node, 'NODE', target);
  }

  /** Exchanges the roles of the replica and its master, which loses no write. */
  async failOver(): Promise<void> {
    const roles = await Promise.all(this.#nodes.map((node) => node.role()));
    const replica = this.#nodes[roles.findIndex(([role]) => role === 'slave')] as Redis;
    await replica.call('CLUSTER', 'FAILOVER');
    await eventually(async () => {
      const [role] = await replica.role();
      const masters = await this.#findMasters();
      if (role !== 'master' || masters.length !== 3) throw new Error('The roles are not exchanged yet.');
    });
  }

  close(): void {
    for (const node of this.#nodes) node.disconnect();
  }

  async #findSlot(key: string): Promise<number> {
    return Number(await this.#nodes[0]?.cluster('KEYSLOT', key));
  }

  async #findMasters(): Promise<readonly Redis[]> {
    const roles = await Promise.all(this.#nodes.map((node) => node.role()));
    return this.#nodes.filter((_, index) => roles[index]?.[0] === 'master');
  }

  async #findOwner(masters: readonly Redis[], slot: number): Promise<Redis> {
    const ranges = (await masters[0]?.cluster('SLOTS')) ?? [];
    const [, , node] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
    return masters.find(({ options }) => options.port === node?.[1]) as Redis;
  }
}
