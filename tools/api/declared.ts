// The declarations of the entry points, as TypeScript writes them for the package, with inferred types
// written out. The declarations are kept in memory, so that no build is needed.
import type ts from 'typescript';
import { compilerOptions, createProgram, root } from '../sources.js';

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

/**
 * Creates a program that contains only declarations.
 *
 * @param sources the entry points, as paths from the repository's root
 */
export function declaredProgram(sources: readonly string[], replaced: Replaced = {}): ts.Program {
  const find = (path: string) => replaced[path.slice(root.length)];
  // `npm run check` checks the sources. Here it would take most of the time.
  const emitting = {
    ...compilerOptions,
    noCheck: true,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
  };
  const program = createProgram(sources, emitting, {
    has: (path) => (find(path) === undefined ? undefined : true),
    read: find,
  });
  return createProgram(
    sources.map(toDeclarationPath),
    { ...compilerOptions, paths: {} },
    {
      has: (path) =>
        isOurs(path)
          ? path.endsWith('.d.ts') && program.getSourceFile(toSourcePath(path)) !== undefined
          : undefined,
      // Declarations are written on demand, because most files belong to no exported type.
      read: (path) => {
        let text: string | undefined;
        const source = program.getSourceFile(toSourcePath(path));
        program.emit(source, (_, written) => (text = written), undefined, true);
        return text;
      },
    },
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
