import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Compiles files with this project's options, and returns the place and message of each problem. */
export function problemsIn(paths: readonly string[]): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram(paths, { ...options, noUnusedLocals: false });
  return paths
    .flatMap((path) => ts.getPreEmitDiagnostics(program, program.getSourceFile(path)))
    .map(({ file, start = 0, messageText }) => {
      const where = `${file?.fileName.slice(root.length)} at ${file?.text.slice(start, start + 40)}`;
      return `${where}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
}
