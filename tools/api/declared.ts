// The declarations of the entry points, as TypeScript writes them for the package, with inferred types
// written out. The declarations are kept in memory, so that no build is needed.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = [`${root}src/`, `${root}sandbox/`];

/**
 * The content of sources that differ from the files on the disk, by their paths from the repository's root.
 */
export type Replaced = Readonly<Record<string, string>>;

const toDeclarationPath = (path: string) => path.replace(/\.ts$/, '.d.ts');
const toSourcePath = (path: string) => path.replace(/\.d\.ts$/, '.ts');
/** Returns a source's path within its folder. Undefined for other packages' sources. */
export const ownPath = (path: string): string | undefined => {
  const folder = folders.find((start) => path.startsWith(start));
  return folder && path.slice(folder.length);
};
const isOurs = (path: string) => ownPath(path) !== undefined;

/** Creates a program of the sources. `replaced` can replace some of them. */
function sourceProgram(sources: readonly string[], replaced: Replaced): ts.Program {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const all = { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true };
  const host = ts.createCompilerHost(all);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => path.slice(root.length) in replaced || fileExists(path);
  // Without this method, the compiler looks for each file, and does not check first that its folder exists.
  delete host.directoryExists;
  host.readFile = (path) => replaced[path.slice(root.length)] ?? readFile(path);
  return ts.createProgram(
    sources.map((source) => root + source),
    all,
    host,
  );
}

/**
 * Creates a program that contains only declarations.
 *
 * @param sources the entry points, as paths from the repository's root
 */
export function declaredProgram(sources: readonly string[], replaced: Replaced = {}): ts.Program {
  const program = sourceProgram(sources, replaced);
  const options = { ...program.getCompilerOptions(), noEmit: true, emitDeclarationOnly: false, paths: {} };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  delete host.directoryExists;
  // Declarations are written on demand, because most files belong to no exported type.
  host.readFile = (path) => {
    if (!isOurs(path)) return readFile(path);
    let text: string | undefined;
    const source = program.getSourceFile(toSourcePath(path));
    program.emit(source, (_, written) => (text = written), undefined, true);
    return text;
  };
  host.fileExists = (path) => {
    if (!isOurs(path)) return fileExists(path);
    return path.endsWith('.d.ts') && program.getSourceFile(toSourcePath(path)) !== undefined;
  };
  return ts.createProgram(
    sources.map((source) => toDeclarationPath(root + source)),
    options,
    host,
  );
}

/**
 * Finds an entry point in a program of declarations.
 *
 * @throws Error if the entry point exports nothing
 */
export function findModule(program: ts.Program, source: string): ts.Symbol {
  const file = program.getSourceFile(toDeclarationPath(root + source));
  const module = file && program.getTypeChecker().getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${source} exports nothing.`);
  return module;
}
