// Programs of the compiler over this repository's sources.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../', import.meta.url));

export const { options: compilerOptions } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  root,
);

/** Files that differ from the disk. */
interface Replaced {
  /** Checks whether a file exists. Undefined for the files on the disk. */
  has(path: string): boolean | undefined;
  read(path: string): string | undefined;
}

/** The parsed files of the disk, which all programs share. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Creates a program of sources, which are paths from the root or absolute. */
export function createProgram(
  sources: readonly string[],
  options: ts.CompilerOptions = compilerOptions,
  replaced?: Replaced,
): ts.Program {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  const isOnDisk = (path: string) => replaced?.has(path) === undefined;
  // Without this method, the compiler looks for each file, and does not check first that its folder exists.
  if (replaced !== undefined) delete host.directoryExists;
  host.fileExists = (path) => replaced?.has(path) ?? fileExists(path);
  host.readFile = (path) => (isOnDisk(path) ? readFile(path) : replaced?.read(path));
  host.getSourceFile = (path, ...rest) => {
    if (!isOnDisk(path)) return getSourceFile(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  const paths = sources.map((source) => (source.startsWith('/') ? source : root + source));
  return ts.createProgram(paths, options, host);
}

/**
 * Finds an interface of a source, and a checker for its types.
 *
 * @throws Error if the source lacks the interface
 */
export function findInterface(source: string, name: string) {
  const program = createProgram([source]);
  const declaration = program
    .getSourceFile(root + source)
    ?.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  if (declaration === undefined) throw new Error(`${source} has no ${name}.`);
  const checker = program.getTypeChecker();
  return { checker, declaration, type: checker.getTypeAtLocation(declaration) };
}
