import type { ITXClientDenyList } from '@prisma/client/runtime/client';
import type { PostgresTransaction } from 'payment-platform/durable';
import { expect, test } from 'vitest';

test('TypeScript accepts a transaction of Prisma 6 and 7, and rejects Prisma’s root client', () => {
  interface Root {
    $connect(): Promise<void>;
    $disconnect(): Promise<void>;
    $transaction<Result>(work: (client: Prisma7) => Promise<Result>): Promise<Result>;
    $queryRawUnsafe<Row>(text: string, ...values: unknown[]): PromiseLike<Row>;
    readonly order: object;
  }
  type Prisma7 = Omit<Root, ITXClientDenyList>;
  const accept = (client: PostgresTransaction) => client;
  const client = { $queryRawUnsafe: async () => [] } as unknown;
  expect(accept(client as Prisma7)).toBe(client);
  expect(accept(client as Omit<Prisma7, '$transaction'>)).toBe(client);
  // @ts-expect-error the root client holds no transaction open
  expect(accept(client as Root)).toBe(client);
});
