// Versions of the package as tarballs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Checks a commit out, without a build. */
export function checkedOut(ref: string, work: string): string {
  const folder = join(work, 'source');
  mkdirSync(folder);
  run('git', ['archive', '--output', join(work, 'source.tar'), ref], root);
  run('tar', ['-xf', join(work, 'source.tar'), '-C', folder], work);
  return folder;
}

/** Packs the tarball of a built folder. */
export function packed(folder: string, target: string): string {
  mkdirSync(target, { recursive: true });
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', target], folder);
  return join(target, readdirSync(target).find((name) => name.endsWith('.tgz')) ?? '');
}

/**
 * Returns a version as a tarball.
 *
 * @param value a tarball, the folder of a built package, or a commit, which is built with the packages
 * installed here
 */
export function packVersion(value: string, work: string): string {
  if (value.endsWith('.tgz')) return resolve(value);
  if (existsSync(value) && statSync(value).isDirectory()) return packed(resolve(value), join(work, 'packed'));
  const folder = checkedOut(value, work);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  run(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js'), '--no-dts'], folder);
  return packed(folder, join(work, 'packed'));
}
