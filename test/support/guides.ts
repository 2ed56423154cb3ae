import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A step of a contributors' guide. */
interface Step {
  readonly path: string;
  /** Kept, removed and added lines. Each hunk matches exactly once. */
  readonly hunks: readonly string[];
}

/** Reads the steps of a guide in docs/maintainers/. */
export const readSteps = (guide: string): readonly Step[] =>
  [
    ...readFileSync(join(root, `docs/maintainers/${guide}.md`), 'utf8').matchAll(
      /```diff\n--- (\S+)\n([\s\S]*?)```/g,
    ),
  ].map(([, path = '', hunks = '']) => ({ path, hunks: hunks.split('@@\n') }));

/** Applies a step's hunks to a file's content. */
function patched(text: string, { path, hunks }: Step): string {
  return hunks.reduce((before, hunk) => {
    const lines = hunk.replace(/\n$/, '').split('\n');
    const side = (gone: string) =>
      lines
        .filter((line) => !line.startsWith(gone))
        .map((line) => line.slice(1))
        .join('\n');
    const [from, to] = [side('+'), side('-')];
    expect(
      before.split(from).length - 1,
      `${path} must contain these lines of a guide in docs/maintainers/ once. Change the guide:\n${from}`,
    ).toBe(1);
    return before.replace(from, () => to);
  }, text);
}

/** The folders that a copy lacks, or gets as a link. */
const left =
  /^(\.git|(.*\/)?node_modules|dist|site\/(dist|\.cache|\.vitepress\/(cache|\.temp))|coverage|reports)$/;

/** A copy of the repository, for the steps of a guide. */
export class RepositoryCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'guide-'));

  constructor() {
    cpSync(root, this.folder, { recursive: true, filter: (path) => !left.test(relative(root, path)) });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  apply(step: Step): void {
    const file = join(this.folder, step.path);
    writeFileSync(file, patched(readFileSync(file, 'utf8'), step));
  }

  /** Undoes the steps of a file. */
  restore(path: string): void {
    cpSync(join(root, path), join(this.folder, path));
  }

  /** Imports a module of the copy. */
  import(path: string) {
    return import(pathToFileURL(join(this.folder, path)).href);
  }

  /** Runs a program with Node, and returns its output and its exit code. */
  run(...args: readonly string[]): { readonly output: string; readonly status: number | null } {
    const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env;
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env,
    });
    return { output: stdout + stderr, status };
  }

  /** Runs `npm run generate`. */
  generate(...args: readonly string[]) {
    return this.run('--import', 'tsx', 'tools/generate.ts', ...args);
  }

  /** Compiles some files, or all files and the sandbox's page. */
  compile(files?: readonly string[]) {
    const project = (name: string) => this.run('node_modules/typescript7/bin/tsc', '-p', name);
    if (files !== undefined) {
      const config = { extends: './tsconfig.json', include: [], files };
      writeFileSync(join(this.folder, 'tsconfig.some.json'), JSON.stringify(config));
      return project('tsconfig.some.json');
    }
    const all = project('tsconfig.json');
    return all.status === 0 ? project('sandbox/page/app') : all;
  }

  /** Runs test files, and returns the failures; empty if all pass. */
  test(...files: readonly string[]): string {
    const { output, status } = this.run('node_modules/vitest/vitest.mjs', 'run', ...files);
    return status === 0 ? '' : output;
  }
}
