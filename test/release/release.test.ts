import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { tooLarge, unexpectedFiles } from '../../tools/release/contents.mjs';
import { lastRelease } from '../../tools/release/last-release.mjs';
import { take } from '../../tools/release/steps.mjs';
import {
  cut,
  cutChangelog,
  nextVersion,
  notCut,
  otherVersions,
  splitChangelog,
} from '../../tools/release/version.mjs';

const work = mkdtempSync(join(tmpdir(), 'payment-platform-release-test-'));
afterAll(() => rmSync(work, { recursive: true }));

const changelog = `# Changelog

## [Unreleased]

### Added

- A feature.

## [0.1.0] - 2026-01-01

- The first.
`;

describe('cutting the changelog for a release', () => {
  test('turns the unreleased entries into the version’s section', () => {
    expect(notCut(changelog, '0.2.0')).toBe('CHANGELOG.md has entries under [Unreleased].');
    const after = cutChangelog(changelog, '0.2.0', '2026-02-03');
    expect(splitChangelog(after)).toEqual([
      { version: 'Unreleased', date: undefined, text: '' },
      { version: '0.2.0', date: '2026-02-03', text: '### Added\n\n- A feature.' },
      { version: '0.1.0', date: '2026-01-01', text: '- The first.' },
    ]);
    expect(notCut(after, '0.2.0')).toBeUndefined();
    expect(notCut(after, '0.3.0')).toContain('not that of 0.3.0');
  });

  test('is rejected for a released version, and without unreleased entries', () => {
    expect(() => cutChangelog(changelog, '0.1.0', '2026-02-03')).toThrow('a section of 0.1.0 already');
    const after = cutChangelog(changelog, '0.2.0', '2026-02-03');
    expect(() => cutChangelog(after, '0.3.0', '2026-02-03')).toThrow('nothing under [Unreleased]');
  });
});

test('every file that states the version matches package.json, and a release updates them all', () => {
  expect(otherVersions('.')).toEqual([]);
  const copy = join(work, 'copy');
  for (const file of [
    'package.json',
    'package-lock.json',
    'src/version.ts',
    'docs/sandbox-openapi.json',
    'CHANGELOG.md',
  ]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  writeFileSync(join(copy, 'CHANGELOG.md'), changelog);
  const next = nextVersion(manifest.version);
  cut(copy, next, '2026-02-03');
  expect(otherVersions(copy)).toEqual([]);
  expect(JSON.parse(readFileSync(join(copy, 'package-lock.json'), 'utf8')).packages[''].version).toBe(next);
  writeFileSync(join(copy, 'src/version.ts'), "export const version: string = '9.9.9';\n");
  expect(otherVersions(copy)).toEqual([`src/version.ts has the version 9.9.9, and package.json ${next}.`]);
});

test('a dry run uses the next minor version, or the next pre-release after a pre-release', () => {
  expect(['1.2.3', '1.0.0-rc.1', '2.0.0-beta.9'].map(nextVersion)).toEqual([
    '1.3.0',
    '1.0.0-rc.2',
    '2.0.0-beta.10',
  ]);
});

test('a release is rejected if the package contains an unlisted file, or lacks a listed one', () => {
  const list = ['package.json', 'dist/index.*js'];
  expect(unexpectedFiles(['package.json', 'dist/index.js', 'dist/index.cjs'], list)).toEqual([]);
  expect(unexpectedFiles(['package.json', '.env', 'dist/more/index.js'], list)).toEqual([
    '.env is not in tools/release/contents.json.',
    'dist/more/index.js is not in tools/release/contents.json.',
    'dist/index.*js is in tools/release/contents.json, and no file has that name.',
  ]);
});

test('a release is rejected if the package is larger than its size ceiling', () => {
  const ceilings = { packed: 10, unpacked: 20 };
  expect(tooLarge({ packed: 10_000, unpacked: 20_000 }, ceilings)).toEqual([]);
  expect(tooLarge({ packed: 10_001, unpacked: 20_000 }, ceilings)).toEqual([
    'The tarball has 11 kB packed, more than 10 kB.',
  ]);
});

test('a release stops at the first step that fails, and prints that step’s reason', () => {
  const printed: string[] = [];
  const isComplete = take(
    [
      ['first', () => 'Fine.'],
      [
        'second',
        () => {
          throw new Error('It is not.');
        },
      ],
      ['third', () => 'Never reached.'],
    ],
    {},
    (line) => printed.push(line),
  );
  expect(isComplete).toBe(false);
  expect(printed).toEqual(['1/3 first: Fine.', '2/3 second: STOPPED. It is not.']);
});

test('the last release is the nearest earlier commit that has a version tag', () => {
  const folder = join(work, 'tags');
  mkdirSync(folder);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
  const commit = (text: string) => {
    writeFileSync(join(folder, 'file'), text);
    git('add', '.');
    git('commit', '--quiet', '--message', text);
  };
  git('init', '--quiet');
  expect(lastRelease(folder)).toBeUndefined();
  commit('first');
  git('tag', 'v1.0.0-rc.1');
  expect(lastRelease(folder)).toBeUndefined();
  commit('second');
  git('tag', 'v1.0.0');
  git('tag', 'vendor');
  expect(lastRelease(folder)).toBe('v1.0.0-rc.1');
  writeFileSync(join(folder, 'file'), 'work on the next');
  expect(lastRelease(folder)).toBe('v1.0.0');
  commit('third');
  expect(lastRelease(folder)).toBe('v1.0.0');
});

describe('npm run release', () => {
  const release = (cwd: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/release/main.mjs', ...args], {
      cwd,
      encoding: 'utf8',
    });
    return { status, printed: stdout + stderr };
  };

  test('accepts --skip-tests only in a dry run', () => {
    const { status, printed } = release('.', '--skip-tests');
    expect([status, printed]).toEqual([2, expect.stringContaining('for a dry run only')]);
  });

  test('stops if the tree is dirty, the changelog is not cut or the version was already released', () => {
    const copy = join(work, 'repository');
    const files = [
      'tools/release',
      'tools/support.json',
      'tools/table.mjs',
      'tools/package/bundled.mjs',
      'tools/package/pack.mjs',
      'package.json',
      'package-lock.json',
    ];
    for (const file of [...files, 'src/version.ts', 'docs/sandbox-openapi.json'])
      cpSync(file, join(copy, file), { recursive: true });
    writeFileSync(join(copy, 'CHANGELOG.md'), changelog);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: copy });
    git('init', '--quiet');
    const dirty = release(copy);
    expect(dirty.status).toBe(1);
    expect(dirty.printed).toMatch(/^1\/10 clean tree: STOPPED\. The working tree is not clean:\n/);
    git('add', '.');
    git('commit', '--quiet', '--message', 'All of it');
    const uncut = release(copy);
    expect(uncut.status).toBe(1);
    expect(uncut.printed).toMatch(
      /4\/10 changelog: STOPPED\. CHANGELOG\.md has entries under \[Unreleased\]\./,
    );
    expect(uncut.printed).not.toContain('5/10');

    git('tag', `v${manifest.version}`);
    writeFileSync(join(copy, 'CHANGELOG.md'), cutChangelog(changelog, manifest.version, '2026-02-03'));
    git('commit', '--quiet', '--all', '--message', 'Cut it');
    const tagged = release(copy);
    expect(tagged.status).toBe(1);
    expect(tagged.printed).toContain(
      `4/10 changelog: STOPPED. v${manifest.version} is the tag of another commit: that version is released.`,
    );
  });
});
