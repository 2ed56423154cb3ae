import { execFile } from 'node:child_process';

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { families } from '../../tools/environments/rows.mjs';
import {
  endedWindows,
  type Support,
  supportTable,
  toEngines,
  windows,
} from '../../tools/release/support.mjs';
import support from '../../tools/support.json' with { type: 'json' };
import { startRegistry } from './registry.js';

const read = (file: string) => readFileSync(file, 'utf8');
const rows = Object.values(families).flatMap((listRows) => listRows({}));
const listVersions = (name: string) => [
  ...new Set(rows.filter(({ environment }) => environment.startsWith(name)).map(({ version }) => version)),
];
const { matrix } = parse(read('.github/workflows/tests.yml')).jobs.node.strategy;

/** Names the places that differ from tools/support.json. */
function departures(declared: Support): readonly string[] {
  const [oldest] = declared.node;
  const run = listVersions('Node');
  const checks: [boolean, string][] = [
    [manifest.engines.node === toEngines(declared).node, 'engines in package.json'],
    [read('tsup.config.ts').includes(`target: 'node${oldest?.line}'`), 'the target of tsup.config.ts'],
    [manifest.devDependencies['@types/node'] === `^${oldest?.line}`, '@types/node'],
    [read('docs/upgrades.md').includes(supportTable(declared, 'en')), 'the table of docs/upgrades.md'],
    [read('docs/pt/upgrades.md').includes(supportTable(declared, 'pt')), 'the table of docs/pt/upgrades.md'],
    [matrix.node.join() === declared.node.map(({ line }) => line).join(), 'the workflow of the tests'],
    [
      declared.node.slice(1).every(({ tried }) => run.includes(tried)) && run.includes(`${oldest?.line}.0.0`),
      'the environments of Node',
    ],
    ...Object.entries(declared.others).map(([name, versions]): [boolean, string] => [
      listVersions(name).join() === versions.join(),
      `the environments of ${name}`,
    ]),
  ];
  return checks.filter(([holds]) => !holds).map(([, where]) => where);
}

test('tools/support.json matches the docs, engines, the build, the workflows and the environments', () => {
  expect(departures(support)).toEqual([]);
});

test('the support check reports every file that differs from tools/support.json', () => {
  const others = { ...support.others, Bun: ['9.9.9'] };
  expect(departures({ ...support, node: support.node.slice(1), others })).toEqual([
    'engines in package.json',
    'the target of tsup.config.ts',
    '@types/node',
    'the table of docs/upgrades.md',
    'the table of docs/pt/upgrades.md',
    'the workflow of the tests',
    'the environments of Node',
    'the environments of Bun',
  ]);
});

test('a release names the runtimes whose support ended before its date', () => {
  expect(windows(support)[0]).toMatchObject({ line: 20, until: '2027-04-30' });
  expect(endedWindows(support, '2027-04-30')).toEqual([]);
  expect(endedWindows(support, '2027-05-01')).toEqual([
    'Node 20 was supported until 2027-04-30: take it out of tools/support.json and raise engines.',
  ]);
});

describe('npm on a Node version that the newest release does not support', () => {
  const version = (number: string, node: string, url: string) => ({
    name: 'payment-platform',
    version: number,
    engines: { node },
    dist: { tarball: `${url}payment-platform-${number}.tgz`, shasum: '0'.repeat(40) },
  });

  test('installs the last release that supports this Node version', async () => {
    const registry = await startRegistry((_, url) => ({
      json: {
        name: 'payment-platform',
        'dist-tags': { latest: '1.1.0' },
        versions: {
          '1.0.0': version('1.0.0', '>=20', url),
          '1.1.0': version('1.1.0', '>=99', url),
        },
      },
    }));
    const folder = mkdtempSync(join(tmpdir(), 'payment-platform-engines-'));
    try {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
      const env = {
        ...process.env,
        npm_config_registry: registry.url,
        npm_config_cache: join(folder, 'cache'),
      };
      const args = ['install', 'payment-platform', '--package-lock-only', '--ignore-scripts', '--no-audit'];
      await promisify(execFile)('npm', args, { cwd: folder, env });
      const { packages } = JSON.parse(read(join(folder, 'package-lock.json')));
      expect(packages['node_modules/payment-platform'].version).toBe('1.0.0');
    } finally {
      registry.close();
      rmSync(folder, { recursive: true });
    }
  });
});
