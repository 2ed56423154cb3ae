/**
 * The client that `prisma generate` writes for a model of orders, with types only for the methods that the tests
 * and samples call. `tools/environments/prisma.mjs` generates the real one, because Prisma's command is too large
 * for a development dependency.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getPrismaClient } from '@prisma/client/runtime/client';
import type { PrismaTransaction } from 'payment-platform/durable';

/** The types of the generated client. */
export declare namespace Prisma {
  interface TransactionClient extends Pick<PrismaTransaction, '$queryRawUnsafe'> {
    readonly order: {
      create(options: { data: { id: string } }): Promise<unknown>;
      update(options: { where: { id: string }; data: { paid: boolean } }): Promise<unknown>;
    };
  }
}

interface Client {
  $transaction<Result>(work: (client: Prisma.TransactionClient) => Promise<Result>): Promise<Result>;
  $disconnect(): Promise<void>;
}

const require = createRequire(import.meta.url);
const compiler = '@prisma/client/runtime/query_compiler_fast_bg.postgresql';
/** This project's types describe no browser or Node globals for WebAssembly. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Buffer) => object } };

const fields = [
  { name: 'id', kind: 'scalar', type: 'String' },
  { name: 'paid', kind: 'scalar', type: 'Boolean' },
];

export const PrismaClient = getPrismaClient({
  previewFeatures: [],
  clientVersion: '7',
  engineVersion: '7',
  activeProvider: 'postgresql',
  inlineSchema: `datasource db {
  provider = "postgresql"
}

model Order {
  id   String  @id
  paid Boolean @default(false)

  @@map("orders")
}
`,
  runtimeDataModel: {
    models: { Order: { fields, dbName: 'orders', schema: null } },
    enums: {},
    types: {},
  } as never,
  // A graph without entries, in Prisma's binary format.
  parameterizationSchema: { strings: [], graph: Buffer.alloc(6).toString('base64') },
  compilerWasm: {
    getRuntime: async () => require(`${compiler}.js`),
    getQueryCompilerWasmModule: async () =>
      new WebAssembly.Module(Buffer.from(require(`${compiler}.wasm-base64.js`).wasm, 'base64')),
    importName: './query_compiler_fast_bg.js',
  },
}) as unknown as new (options: {
  adapter: object;
}) => Client;

/** Writes the client into the folder that the samples import it from. */
export function writePrismaClient(folder: string): void {
  const place = join(folder, 'generated/prisma');
  mkdirSync(place, { recursive: true });
  const source = JSON.stringify(fileURLToPath(import.meta.url).replace(/ts$/, 'js'));
  writeFileSync(join(place, 'client.ts'), `export * from ${source};\n`);
}
