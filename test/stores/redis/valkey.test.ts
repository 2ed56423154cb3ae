import { redisDedupe } from 'payment-platform/webhooks';
import { afterAll, beforeAll, describe } from 'vitest';
import { keepsContractsOnCluster } from '../../support/cluster-contract.js';
import { keepsDedupeContract } from '../../support/dedupe-contract.js';
import { libraryNames, redisLibraries } from '../../support/redis.js';
import { keepsRateLimitContract, keepsTokenContract } from '../../support/redis-contracts.js';
import { closedAfterEach } from '../../support/resources.js';
import { isInstalled, Servers } from '../../support/servers.js';

const opens = closedAfterEach();

describe('the Redis stores on Valkey', () => {
  keepsContractsOnCluster('valkey-server');

  describe.skipIf(!isInstalled('valkey-server'))('on one server (needs valkey-server)', () => {
    let servers: Servers;
    let url = '';
    beforeAll(async () => {
      servers = new Servers();
      url = `redis://127.0.0.1:${(await servers.redis(undefined, 'valkey-server')).port}`;
    });
    afterAll(() => servers?.close());

    describe.each(libraryNames)('with the client %s', (library) => {
      const connect = async () => opens(await redisLibraries[library](url));
      const prefix = `${library}:`;
      describe('redisDedupe', () => {
        keepsDedupeContract(async () => redisDedupe((await connect()).client, { prefix }));
      });
      describe('redisTokenStore', () => keepsTokenContract(connect, prefix));
      describe('redisRateLimitStore', () => keepsRateLimitContract(connect, prefix));
    });
  });
});
