import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('a warm payments.create runs few functions of few files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'functions-'));
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/^(sandbox|cli|testing)\//.test(name),
  );
  await build({
    entryPoints: sources.map((name) => join(root, 'src', name)),
    outdir: folder,
    outbase: join(root, 'src'),
    format: 'esm',
    target: 'node20',
  });
  const { type, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const compiled = JSON.stringify({ type, imports }).replaceAll('./src/', './').replaceAll('.ts"', '.js"');
  writeFileSync(join(folder, 'package.json'), compiled);
  const script = join(root, 'test/support/functions-of-a-call.mjs');
  const printed = execFileSync(process.execPath, [script, folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const files = JSON.parse(printed) as [file: string, names: string[]][];
  const count = files.flatMap(([, names]) => names).length;
  const list = files.map(([file, names]) => `${file}: ${names.join(', ')}`).sort();
  console.log(`${count} functions of ${files.length} files\n${list.join('\n')}`);
  expect(count).toBeLessThanOrEqual(71);
  expect(files.length).toBeLessThanOrEqual(18);
});
