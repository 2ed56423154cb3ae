/**
 * Completes the declarations of dist/, which are built once, for CommonJS. `npm run build` runs this last.
 *
 * - Each entry's declarations for ES modules export those for CommonJS, so both have the same types. The
 *   opposite does not work, because CommonJS cannot import an ES module's types.
 * - Each declaration file gets a source map. With the maps, "Go to definition" in a merchant's editor opens the
 *   sources in the package. The declaration bundler writes none.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addMapping, GenMapping, toEncodedMap } from '@jridgewell/gen-mapping';
import ts from 'typescript';
import { entryPoints } from '../package/entry-points.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Names by their place in a declaration: '' is the declaration's own name, '.create' a member's. Overloads
 * share a place.
 */
type Names = Map<string, ts.Node[]>;

/** A top-level declaration of a file. */
interface Declaration {
  readonly path: string;
  readonly file: ts.SourceFile;
  readonly names: Names;
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

/** Returns a member's name, or the keyword of a constructor. */
function memberName(node: ts.Node): ts.Node | undefined {
  if (ts.isConstructorDeclaration(node))
    return node.getChildren().find(({ kind }) => kind === ts.SyntaxKind.ConstructorKeyword);
  // A class declaration has one `#private` for all of its private members.
  if (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name))
    return undefined;
  return ts.isClassElement(node) || ts.isTypeElement(node) || ts.isPropertyAssignment(node)
    ? node.name
    : undefined;
}

/** Adds the names of members, including members of nested objects. */
function addMembers(parent: ts.Node, place: string, names: Names): void {
  ts.forEachChild(parent, (node) => {
    if (ts.isBlock(node)) return;
    const name = memberName(node);
    const inner = name === undefined ? place : `${place}.${name.getText()}`;
    if (name !== undefined) add(names, inner, name);
    addMembers(node, inner, names);
  });
}

/** Reads a file's declarations by kind and name. */
function readDeclarations(path: string): Map<string, Declaration> {
  const file = ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = new Map<string, Declaration>();
  for (const statement of file.statements) {
    const nodes = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const node of nodes) {
      const { name } = node as ts.Node & { readonly name?: ts.Node };
      if (name === undefined) continue;
      const key = `${ts.SyntaxKind[node.kind]} ${name.getText()}`;
      const declaration = found.get(key) ?? { path, file, names: new Map() };
      add(declaration.names, '', name);
      addMembers(node, '', declaration.names);
      found.set(key, declaration);
    }
  }
  return found;
}

/** Prints a declaration in a format that the sources and the bundler share. */
const printDeclaration = ({ names }: Declaration): string =>
  (names.get('')?.[0]?.parent.getText() ?? '').replace(/^(export |declare )+|\s|;$/g, '');

/**
 * Finds the source of a declaration, which must have all of its members. Among several candidates, chooses
 * the source with the same text.
 */
function findSource(
  declaration: Declaration,
  candidates: readonly Declaration[] = [],
): Declaration | undefined {
  const places = [...declaration.names.keys()];
  const whole = candidates.filter(({ names }) => places.every((place) => names.has(place)));
  const same =
    whole.length > 1
      ? whole.filter((source) => printDeclaration(source).startsWith(printDeclaration(declaration)))
      : whole;
  return same.length === 1 ? same[0] : undefined;
}

/** A position in a file. Without a source, the position is not mapped. */
interface Mapping {
  readonly position: number;
  readonly source?: { readonly path: string; readonly line: number; readonly character: number } | undefined;
}

/** Finds the starts of a declaration and of its name, because editors use both. */
function findStarts(name: ts.Node): readonly [declaration: number, name: number] {
  const { parent } = name;
  return [(ts.isVariableDeclaration(parent) ? parent.parent : parent).getStart(), name.getStart()];
}

function buildMappings(declarations: Iterable<[string, Declaration]>): Mapping[] {
  const mappings = new Map<number, Mapping>();
  const map = (position: number, source?: Mapping['source']) => mappings.set(position, { position, source });
  for (const [key, declaration] of declarations) {
    // The bundler appends a number to the second of two equal names.
    const source = findSource(declaration, sources.get(key.replace(/\$\d+$/, '')));
    for (const [place, names] of declaration.names)
      for (const [index, name] of names.entries()) {
        const starts = findStarts(name);
        // For an unmapped position, editors use the next mapping. This mapping keeps editors in the
        // declaration file.
        map(starts[0] - 1);
        const original = source?.names.get(place)?.[index];
        // The sandbox's sources are not published.
        if (original === undefined || !source?.path.startsWith('src/')) continue;
        for (const [which, start] of findStarts(original).entries())
          map(starts[which] ?? 0, { path: source.path, ...source.file.getLineAndCharacterOfPosition(start) });
      }
  }
  return [...mappings.values()].sort((one, other) => one.position - other.position);
}

/** Builds the map of a declaration file. */
function buildMap(name: string, file: ts.SourceFile, mappings: readonly Mapping[]) {
  const map = new GenMapping({ file: name });
  for (const { position, source } of mappings) {
    const { line, character: column } = file.getLineAndCharacterOfPosition(position);
    const generated = { line: line + 1, column };
    if (source === undefined) addMapping(map, { generated });
    else
      addMapping(map, {
        generated,
        source: `../${source.path}`,
        original: { line: source.line + 1, column: source.character },
      });
  }
  return toEncodedMap(map);
}

const listFiles = (folder: string, pattern: RegExp) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => pattern.test(path) && !path.includes('/test/'));

const sources = new Map<string, Declaration[]>();
for (const path of ['src', 'sandbox'].flatMap((folder) => listFiles(folder, /(?<!\.d)\.ts$/)))
  for (const [key, declaration] of readDeclarations(path)) add(sources, key, declaration);

for (const path of listFiles('dist', /\.d\.cts$/)) {
  const declarations = readDeclarations(path);
  const file = [...declarations.values()][0]?.file;
  if (file === undefined) continue;
  const name = path.replace('dist/', '');
  writeFileSync(`${root}${path}.map`, JSON.stringify(buildMap(name, file, buildMappings(declarations))));
  writeFileSync(root + path, `${file.text}//# sourceMappingURL=${name}.map\n`);
}

for (const { name } of entryPoints.exports)
  writeFileSync(`${root}dist/${name}.d.ts`, `export * from './${name}.cjs';\n`);
