import { describe } from 'vitest';
import { keepsContractsOnCluster } from '../../support/cluster-contract.js';

describe('the Redis stores', () => keepsContractsOnCluster('redis-server'));
