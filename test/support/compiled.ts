import ts from 'typescript';
import { compilerOptions, createProgram, root } from '../../tools/sources.js';

/** Compiles files with this project's options, and returns the place and message of each problem. */
export function problemsIn(paths: readonly string[]): string[] {
  const program = createProgram(paths, { ...compilerOptions, noUnusedLocals: false });
  return paths
    .flatMap((path) => ts.getPreEmitDiagnostics(program, program.getSourceFile(path)))
    .map(({ file, start = 0, messageText }) => {
      const where = `${file?.fileName.slice(root.length)} at ${file?.text.slice(start, start + 40)}`;
      return `${where}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
}
