// Compiles the documentation's samples against a build of the package.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { compilerOptions, createProgram, root } from '../sources.js';

/** The code of each sample, by page and number. */
export type Samples = Readonly<Record<string, string>>;

/** Lists the TypeScript samples in a version's README and pages, except those that import another sample. */
export function samplesIn(folder: string): Samples {
  const pages = existsSync(join(folder, 'docs'))
    ? readdirSync(join(folder, 'docs'), { recursive: true })
    : [];
  const files = ['README.md', 'README.pt-BR.md', ...pages.map((name) => `docs/${name}`)];
  return Object.fromEntries(
    files
      .filter((name) => name.endsWith('.md') && existsSync(join(folder, name)))
      .flatMap((name) =>
        [...readFileSync(join(folder, name), 'utf8').matchAll(/^```ts[^\n]*\n(.*?)^```/gms)].map(
          ([, code = ''], index) => [`${name}, sample ${index + 1}`, code] as const,
        ),
      )
      .filter(([, code]) => !code.includes("from './")),
  );
}

/**
 * Compiles samples, and returns the compiler's errors as messages.
 *
 * @param types the folder of the declarations: `dist`, or `src` with its sources
 */
export function problemsIn(samples: Samples, types: 'dist' | 'src'): string[] {
  const built = { 'payment-platform': ['./dist/index.d.ts'], 'payment-platform/*': ['./dist/*.d.ts'] };
  const options = { ...compilerOptions, noUnusedLocals: false, ...(types === 'dist' && { paths: built }) };
  const names = Object.keys(samples);
  // The packages that samples import are installed in this folder.
  const toPath = (name: string) => join(root, `test/interop/sample-${names.indexOf(name)}.ts`);
  const texts = new Map(
    Object.entries(samples).map(([name, code]) => [
      toPath(name),
      code.includes('import ') ? code : `export {};\n${code}`,
    ]),
  );
  const program = createProgram([...texts.keys()], options, {
    has: (path) => texts.has(path) || undefined,
    read: (path) => texts.get(path),
  });
  return names.flatMap((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(toPath(name)))
      .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  );
}
