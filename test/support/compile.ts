import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import ts from 'typescript';
import { createProgram, root } from '../../tools/sources.js';

/** The path of the `tsc` of TypeScript 7, if that is to compile. */
const { TYPESCRIPT_COMMAND } = process.env;

export const isTypeScript7 = TYPESCRIPT_COMMAND !== undefined;

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
  if (TYPESCRIPT_COMMAND !== undefined) return runCompiler(TYPESCRIPT_COMMAND, files, more);
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(root, path), text]));
  const program = createProgram(
    [...texts.keys()],
    { ...options, ...more },
    {
      has: (path) => texts.has(path) || undefined,
      read: (path) => texts.get(path),
    },
  );
  return Object.fromEntries(
    Object.keys(files).map((path) => {
      const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(join(root, path)));
      return [path, found.map(printedText).join('\n')];
    }),
  );
}

/**
 * Does the same with TypeScript 7, which is a command and cannot be called from JavaScript.
 * The command reads the files from a folder that looks like the repository.
 */
function runCompiler(
  command: string,
  files: Readonly<Record<string, string>>,
  more: ts.CompilerOptions,
): Record<string, string> {
  const cwd = mkdtempSync(join(tmpdir(), 'compile-'));
  // A file can be a neighbour of the sources, so they are copied.
  for (const name of ['src', 'sandbox']) cpSync(join(root, name), join(cwd, name), { recursive: true });
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(cwd, name));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const compilerOptions = {
    ...{ target: 'ES2022', module: 'NodeNext', moduleResolution: 'NodeNext', strict: true, noEmit: true },
    ...{ skipLibCheck: true, types: ['node'], ...more },
  };
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const { stdout, status } = spawnSync(process.execPath, [command, '-p', '.', '--pretty'], {
    cwd,
    encoding: 'utf8',
  });
  const problems = [
    ...stripVTControlCharacters(stdout).matchAll(
      /^(\S+):\d+:\d+ - error TS\d+: ((?:.+\n)+)\n( *\d+ )(.*)\n( *)(~+)/gm,
    ),
  ].map(([, path, message = '', number = '', line = '', indent = '', marks = '']) => {
    const start = indent.length - number.length;
    return { path, text: `${line.slice(start, start + marks.length)}\n${message.trimEnd()}` };
  });
  if ((status === 0) !== (problems.length === 0)) throw new Error(stdout);
  return Object.fromEntries(
    Object.keys(files).map((file) => [
      file,
      problems.flatMap(({ path, text }) => (path === file ? [text] : [])).join('\n'),
    ]),
  );
}
