import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the package.json to publish. It has no fields for development, and no `imports` of files that are not
 * published.
 *
 * @param files the published files
 */
export function toPublished({ scripts, devDependencies, overrides, imports, ...manifest }, files) {
  const isPublished = (file) => files.includes(file.replace('./', ''));
  const kept = Object.entries(imports).filter(([, variants]) => Object.values(variants).every(isPublished));
  return { ...manifest, imports: Object.fromEntries(kept) };
}

/**
 * Packs the built package of a folder. The files are copied first, so that the folder keeps its package.json
 * even if packing is interrupted.
 *
 * @returns npm's description of the tarball
 */
export function pack(folder, target, env = process.env) {
  const npmPack = (cwd, ...args) => {
    const options = { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' };
    return JSON.parse(execFileSync('npm', ['pack', '--json', ...args], options))[0];
  };
  const files = npmPack(folder, '--dry-run').files.map(({ path }) => path);
  const copy = mkdtempSync(join(tmpdir(), 'payment-platform-pack-'));
  try {
    for (const file of files) cpSync(join(folder, file), join(copy, file));
    // Programs read them.
    for (const file of files.filter((each) => /^(docs|dist)\/[^/]*\.json$/.test(each)))
      writeFileSync(join(copy, file), JSON.stringify(JSON.parse(readFileSync(join(copy, file), 'utf8'))));
    const manifest = toPublished(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')), files);
    writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    return npmPack(copy, '--pack-destination', target);
  } finally {
    rmSync(copy, { recursive: true });
  }
}
