import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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
