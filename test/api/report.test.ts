import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changesBetween, listUnmentioned } from '../../tools/api/changes.js';
import { describeEntryPoints } from '../../tools/api/face.js';
import { formatReport, inWorkers, valuesIn } from '../../tools/api/report.js';
import { entryPoints } from '../../tools/package/entry-points.mjs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the API report of an entry point', () => {
  const sources = {
    'src/sample/index.ts': `
export { Shared } from './shared.js';
import type { Hidden } from './shared.js';
/** A comment. */
export interface Options {
  /** Another. */
  readonly name: string; // and a third
  /** @deprecated Use name. */
  title?: string;
  hidden?: Hidden;
}
/**
 * Makes one.
 * @deprecated Make none.
 */
export function make(options: Options) {
  return { length: options.name.length };
}
export const separator = '/* no comment */';
class Kept { constructor(readonly secret: Internal) {} }
interface Internal { readonly key: string }
export const kept = (): Kept => new Kept({ key: '' });
`,
    'src/sample/shared.ts': `
export interface Hidden { readonly depth: 1 }
export class Shared { #count = 0; private other = 1; count(): number { return this.#count + this.other; } }
`,
    'src/second/index.ts': `export { Shared } from '../sample/shared.js';\nexport type { make, Options } from '../sample/index.js';\n`,
  };
  const faces = describeEntryPoints(
    [
      { specifier: 'sample', source: 'src/sample/index.ts' },
      { specifier: 'second', source: 'src/second/index.ts' },
    ],
    sources,
  );
  const [first = '', second = ''] = faces.map((face) => formatReport(face, inWorkers(false)));

  test('lists every name and its types in order, without bodies or comments, and marks deprecations', () => {
    expect(first).toMatchInlineSnapshot(`
      "<!-- Written by npm run generate. -->

      # sample

      In Workers and browsers: no file of its own.

      ## Exported

      ### Options

      \`\`\`ts
      interface Options {
          readonly name: string;
          /** @deprecated */
          title?: string;
          hidden?: Hidden;
      }
      \`\`\`

      ### Shared

      \`\`\`ts
      class Shared {
          count(): number;
      }
      \`\`\`

      ### kept

      \`\`\`ts
      const kept: () => Kept;
      \`\`\`

      ### make

      \`\`\`ts
      /** @deprecated */
      function make(options: Options): {
          length: number;
      };
      \`\`\`

      ### separator

      \`\`\`ts
      const separator = "/* no comment */";
      \`\`\`

      ## Types that are used but not exported

      ### Hidden

      \`\`\`ts
      interface Hidden {
          readonly depth: 1;
      }
      \`\`\`

      ### Internal

      \`\`\`ts
      interface Internal {
          readonly key: string;
      }
      \`\`\`

      ### Kept

      \`\`\`ts
      class Kept {
          readonly secret: Internal;
      }
      \`\`\`
      "
    `);
  });

  test('links to a name that another entry point’s report contains', () => {
    expect(second).toContain(
      '- type Options: see sample\n- value Shared: see sample\n- type make: see sample\n',
    );
    expect(valuesIn(second)).toEqual(['Shared']);
    expect(valuesIn(first)).toEqual(['Shared', 'kept', 'make', 'separator']);
  });
});

test('each kind of breaking change in the sources is reported, and must be in the changelog', () => {
  const edits: Record<string, readonly (readonly [from: string, to: string])[]> = {
    'src/webhooks/index.ts': [
      ['export { parseUnverified, verify, verifyAsync }', 'export { verify, verifyAsync }'],
    ],
    'src/stores/postgres/dedupe-sql.ts': [
      ['postgresDedupeSql(table: string = schemaDeliveriesTable)', "postgresDedupeSql(table: 'deliveries')"],
    ],
    'src/webhooks/memory-dedupe.ts': [
      [
        'export interface MemoryDedupeOptions {',
        'export interface MemoryDedupeOptions {\n  newOption?: string;',
      ],
    ],
    'src/auth/token-store.ts': [
      ['key: string | Uint8Array | readonly (string | Uint8Array)[],', 'key: string,'],
    ],
    'src/contract/payments/types.ts': [
      ['interface CommonPayment {', 'interface CommonPayment {\n  payee: string;'],
    ],
  };
  const replaced = Object.fromEntries(
    Object.entries(edits).map(([path, list]) => {
      const before = read(path);
      const after = list.reduce((text, [from, to]) => text.replace(from, to), before);
      expect(after).not.toBe(before);
      return [path, after];
    }),
  );
  // The other entry points would take most of the time, and have none of the changes.
  const entries = entryPoints.exports.filter(({ name }) => name === 'index' || name === 'webhooks');
  const changes = describeEntryPoints(entries, replaced).flatMap((face, index) => {
    const { name, files } = entries[index] ?? { name: '', files: [] };
    const report = formatReport(face, inWorkers(files.some((file) => file.endsWith('.worker.js'))));
    return changesBetween(read(`api-reports/${name}.api.md`), report);
  });
  expect(changes.map(({ kind, name }) => `${name}: ${kind}`)).toEqual([
    'CommonPayment: changed',
    'encryptedTokenStore: changed',
    'MemoryDedupeOptions: widened',
    'parseUnverified: removed',
    'postgresDedupeSql: changed',
  ]);
  const listUnmentionedIn = (entries: string) =>
    listUnmentioned(
      changes,
      `## [Unreleased]\n\n${entries}\n## [1.0.0] - 2026-01-01\n\n- \`parseUnverified\`\n`,
      '1.0.0',
    );
  expect(listUnmentionedIn('')).toEqual([
    'CommonPayment was changed since 1.0.0, and CHANGELOG.md does not say so: name `CommonPayment`, `BoletoPayment`, `PixPayment` or `CreatePayment` in an entry under "Changed" or "Removed".',
    'encryptedTokenStore was changed since 1.0.0, and CHANGELOG.md does not say so: name `encryptedTokenStore` in an entry under "Changed" or "Removed".',
    'MemoryDedupeOptions was widened since 1.0.0, and CHANGELOG.md does not say so: name `MemoryDedupeOptions` or `memoryDedupe` in an entry under any heading.',
    'parseUnverified was removed since 1.0.0, and CHANGELOG.md does not say so: name `parseUnverified` in an entry under "Changed" or "Removed".',
    'postgresDedupeSql was changed since 1.0.0, and CHANGELOG.md does not say so: name `postgresDedupeSql` in an entry under "Changed" or "Removed".',
  ]);
  const names = '- `PixPayment`, `encryptedTokenStore`, `parseUnverified()`, `postgresDedupeSql`: other.\n';
  expect(
    listUnmentionedIn(`### Added\n\n- \`memoryDedupe({ newOption })\`.\n\n### Changed\n\n${names}`),
  ).toEqual([]);
  // A break under "Added" does not count.
  expect(listUnmentionedIn(`### Added\n\n- \`memoryDedupe({ newOption })\`.\n${names}`)).toHaveLength(4);
});
