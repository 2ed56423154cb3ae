import { redisDedupe } from 'payment-platform/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepsDedupeContract, minute, worker } from './dedupe-contract.js';
import { deliverTwice } from './deliver-twice.js';
import { clusterLibraries, libraryNames } from './redis.js';
import { ClusterAdministrator } from './redis-cluster.js';
import { keepsRateLimitContract, keepsTokenContract } from './redis-contracts.js';
import { closedAfterEach } from './resources.js';
import { isInstalled, type RedisCluster, type RedisProgram, Servers } from './servers.js';

const opens = closedAfterEach();

/** Checks the Redis stores over a cluster, while it works and while it changes. */
export function keepsContractsOnCluster(program: RedisProgram) {
  describe.skipIf(!isInstalled(program))(`on a cluster of three masters (needs ${program})`, () => {
    let servers: Servers;
    let cluster: RedisCluster;
    beforeAll(async () => {
      servers = new Servers();
      cluster = await servers.redisCluster(program);
    });
    afterAll(() => servers?.close());

    describe.each(libraryNames)('with the cluster client of %s', (library) => {
      const connect = async () => opens(await clusterLibraries[library](cluster.masters));
      const prefix = `${library}:`;
      describe('redisDedupe', () => {
        keepsDedupeContract(async () => redisDedupe((await connect()).client, { prefix }));
      });
      describe('redisTokenStore', () => keepsTokenContract(connect, prefix));
      describe('redisRateLimitStore', () => keepsRateLimitContract(connect, prefix));

      type Change = (admin: ClusterAdministrator, prefix: string, isOver: () => boolean) => Promise<void>;

      /**
       * Changes the cluster while 10,000 deliveries arrive, which all use one hash slot. Claims that were
       * granted before are still held then, and can be completed.
       */
      async function keepsClaimsDuring(change: Change) {
        const admin = opens(new ClusterAdministrator(cluster));
        const prefix = await admin.createPrefix();
        const open = async () => redisDedupe((await connect()).client, { prefix });
        const [store, other] = [await open(), await open()];
        const held = Array.from({ length: 50 }, (_, index) => ({ id: `held-${index}`, holder: worker() }));
        for (const { id, holder } of held) expect(await store.claim(id, minute, holder)).toBe('claimed');
        let isOver = false;
        // A client that notices a change can reject the commands that it has sent to the previous master.
        const arrivals = deliverTwice([store, other], { canFail: true }).finally(() => {
          isOver = true;
        });
        await Promise.all([arrivals, change(admin, prefix, () => isOver)]);
        for (const { id, holder } of held) {
          expect(await other.claim(id, minute, worker())).toBe('busy');
          expect(await store.complete(id, minute, holder)).toBe(true);
          expect(await other.claim(id, minute, worker())).toBe('done');
        }
      }

      test('redisDedupe loses no claim of a hash slot that moves to other masters while notifications arrive', async () => {
        await keepsClaimsDuring(async (admin, prefix, isOver) => {
          while (!isOver()) await admin.moveSlot(prefix);
        });
      });

      test('redisDedupe loses no claim while a master and its replica exchange their roles', async () => {
        await keepsClaimsDuring((admin) => admin.failOver());
      });
    });
  });
}
