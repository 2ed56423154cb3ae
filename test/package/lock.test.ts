import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Lists the dependencies that a lock file lacks. `npm ci` rejects such a lock file. */
function missingIn(packages: Readonly<Record<string, Locked>>): readonly string[] {
  const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
  return Object.values(packages)
    .flatMap(({ dependencies = {}, optionalDependencies = {} }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    )
    .filter((name) => !names.has(name));
}

const { packages } = lock as unknown as { packages: Readonly<Record<string, Locked>> };

test.each(['.', 'site', 'test/interop', 'tools/mutation', 'tools/package'])(
  'the lock file in %s contains the packages for every operating system',
  (folder) => {
    const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
    expect(missingIn(packages)).toEqual([]);
  },
);

test('the lock check reports a missing package for a different operating system', () => {
  const { 'node_modules/@rollup/rollup-win32-x64-msvc': removed, ...rest } = packages;
  expect(removed).toBeDefined();
  expect(missingIn(rest)).toEqual(['@rollup/rollup-win32-x64-msvc']);
});
