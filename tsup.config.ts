import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

const entry = { index: 'src/index.ts', webhooks: 'src/webhooks/index.ts', sandbox: 'src/sandbox/index.ts' };

/** The licences of what the sandbox bundles, which ask for their text to come along. */
function licences(code: string): string {
  const folders = [...new Set(code.match(/(?<=^\s*\/\/ )node_modules\/(@[\w-]+\/)?[\w-]+/gm))].sort();
  const fileIn = (folder: string) => readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return folders.map((folder) => `${folder}\n\n${readFileSync(`${folder}/${fileIn(folder)}`)}`).join('\n\n');
}

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
  removeNodeProtocol: false,
  clean: true,
  external: ['#node-crypto'],
  onSuccess: async () =>
    writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(readFileSync('dist/sandbox.cjs', 'utf8'))),
});
