import { randomUUID } from 'node:crypto';
import Database from 'libsql';
import {
  type D1Database,
  type DedupeNamespace,
  DedupeObject,
  d1Dedupe,
  durableObjectDedupe,
  sqliteDedupeSql,
} from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { keepsDedupeContract, minute, worker } from '../../support/dedupe-contract.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

const memoryDatabase = () => {
  const database = new Database(':memory:');
  return { database, close: () => void database.close() };
};

/** Imitates D1 over one SQLite connection. */
const d1Over = (database: InstanceType<typeof Database>): D1Database => ({
  prepare: (text) => ({
    bind: (...values) => ({
      all: async () => ({ results: database.prepare(text).all(...(values as never[])) as unknown[] }),
    }),
  }),
});

describe('d1Dedupe, over the methods of D1', () => {
  keepsDedupeContract(async () => {
    const { database } = opens(memoryDatabase());
    database.exec(sqliteDedupeSql());
    return d1Dedupe(d1Over(database));
  });
});

/** Imitates Durable Objects over in-memory SQLite databases, one database per name. */
function objectsOverSqlite(): DedupeNamespace & { readonly names: ReadonlySet<string> } {
  const objects = new Map<string, DedupeObject>();
  const open = () => {
    const { database } = opens(memoryDatabase());
    const exec = (text: string, ...values: never[]) => {
      if (text.includes('CREATE')) database.exec(text);
      const rows = text.includes('CREATE') ? [] : database.prepare(text).all(...values);
      return { toArray: () => rows as unknown[] };
    };
    return new DedupeObject({ storage: { sql: { exec } } });
  };
  return {
    names: new Set(),
    idFromName: (name) => name,
    get(name: string) {
      const object = objects.get(name) ?? open();
      objects.set(name, object);
      (this.names as Set<string>).add(name);
      return { fetch: (url, init) => object.fetch(new Request(url, init)) };
    },
  };
}

describe('durableObjectDedupe', () => {
  keepsDedupeContract(async () => durableObjectDedupe(objectsOverSqlite()));

  test('spreads deliveries over 64 Durable Objects', async () => {
    const namespace = objectsOverSqlite();
    const store = durableObjectDedupe(namespace);
    await Promise.all(Array.from({ length: 1_000 }, () => store.claim(randomUUID(), minute, worker())));
    expect(namespace.names.size).toBe(64);
  });

  test('rejects with the status of a Durable Object’s error response', async () => {
    const store = durableObjectDedupe({
      idFromName: (name) => name,
      get: () => ({ fetch: async () => new Response('', { status: 503 }) }),
    });
    await expect(store.claim('a', minute, worker())).rejects.toThrow('responded with 503');
  });
});
