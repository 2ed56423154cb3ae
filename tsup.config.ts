import { defineConfig } from 'tsup';

const entry = { index: 'src/index.ts', webhooks: 'src/webhooks/index.ts', sandbox: 'src/sandbox/index.ts' };

export default defineConfig({
  entry: {
    ...entry,
    'node-crypto': 'src/webhooks/node-crypto.ts',
    'no-node-crypto': 'src/webhooks/no-node-crypto.ts',
  },
  dts: { entry },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  clean: true,
  external: ['#node-crypto'],
});
