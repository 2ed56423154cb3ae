import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The compiler options of a merchant's strict project. */
export const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};

/** Prints the underlined code and its message. */
function printedText({ file, start = 0, length = 0, messageText }: ts.Diagnostic): string {
  const underlined = file?.text.slice(start, start + length).split('\n')[0] ?? '';
  return `${underlined}\n${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}

/**
 * Returns TypeScript's output for each file; all files are checked together. The files can be virtual. Their
 * paths are relative to the repository, and each file can import its neighbours.
 */
export function diagnose(
  files: Readonly<Record<string, string>>,
  more: ts.CompilerOptions = {},
): Record<string, string> {
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(root, path), text]));
  const all = { ...options, ...more };
  const host = ts.createCompilerHost(all);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  const program = ts.createProgram([...texts.keys()], all, host);
  return Object.fromEntries(
    Object.keys(files).map((path) => {
      const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(join(root, path)));
      return [path, found.map(printedText).join('\n')];
    }),
  );
}
