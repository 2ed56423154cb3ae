// The package's public API: every exported name with its declaration, and the types that they refer to.
import ts from 'typescript';
import { declaredProgram, findModule, ownPath, type Replaced } from './declared.js';

/** An entry point in package.json. */
export interface Entry {
  readonly specifier: string;
  readonly source: string;
}

/** A name with its declaration. */
export interface Item {
  readonly name: string;
  /** The declarations, without bodies or comments. */
  readonly text: string;
  /** Whether a program can import the name at run time. */
  readonly isValue: boolean;
}

/** The public API of one entry point, of the command or of the control API. */
export interface PublicApi {
  readonly specifier: string;
  /** Exports that this report prints. */
  readonly exported: readonly Item[];
  /** Exports that another entry point's report prints. */
  readonly elsewhere: readonly (Omit<Item, 'text'> & { readonly specifier: string })[];
  /** Names that are not exported, but that the type of an exported name refers to. */
  readonly unexported: readonly Item[];
}

/** Matches doc comments, with their whole lines, and other comments. */
const comment = /^([ \t]*)\/\*\*([\s\S]*?)\*\/[ \t]*\n?|^[ \t]*\/\/.*\n/gm;
/** Matches the member that TypeScript declares for all private fields. */
const privateMember = /^\s*(#private|private\b.*);\n/gm;

/** Removes comments from a declaration, except `@deprecated`. */
const bare = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(comment, (_, indent: string | undefined, docComment: string | undefined) =>
      docComment !== undefined && /(^|\s)@deprecated\b/.test(docComment)
        ? `${indent}/** @deprecated */\n`
        : '',
    )
    .replaceAll(privateMember, '')
    .replaceAll(/import\("[^"]*"\)\./g, '')
    .replace(/^(export declare|export|declare) /m, '')
    .trim();

/** Finds the statement that declares a symbol. For a constant, returns the whole statement. */
function findStatement(declaration: ts.Declaration): ts.Node {
  const isConstant = ts.isVariableDeclaration(declaration);
  return isConstant ? declaration.parent.parent : declaration;
}

const isOurs = (declaration: ts.Declaration) =>
  ownPath(declaration.getSourceFile().fileName) !== undefined &&
  ts.isSourceFile(findStatement(declaration).parent);

/** Compares character codes, so that the order does not depend on the machine's language. */
const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : Number(a.name > b.name);

/** Reads a program's declarations. */
class Reader {
  readonly #checker: ts.TypeChecker;
  /**
   * Classes that can be imported as values. Others cannot be constructed, so their constructors are left out.
   */
  readonly #constructible: ReadonlySet<ts.Symbol>;
  /** Names of the symbols. Symbols with the same name are distinguished by their files. */
  readonly #names = new Map<ts.Symbol, string>();

  constructor(checker: ts.TypeChecker, exported: Iterable<ts.Symbol>, constructible: ReadonlySet<ts.Symbol>) {
    this.#checker = checker;
    this.#constructible = constructible;
    for (const symbol of exported) this.findName(symbol);
  }

  /** Returns a symbol's name in a report. */
  findName(symbol: ts.Symbol): string {
    const known = this.#names.get(symbol);
    if (known !== undefined) return known;
    const isUsed = [...this.#names.values()].includes(symbol.name);
    const file = ownPath(symbol.declarations?.[0]?.getSourceFile().fileName ?? '');
    const name = isUsed ? `${symbol.name} of ${file?.replace('.d.ts', '')}` : symbol.name;
    this.#names.set(symbol, name);
    return name;
  }

  /** Lists this package's symbols in a symbol's declarations. */
  used(symbol: ts.Symbol): ts.Symbol[] {
    const found = new Set<ts.Symbol>();
    const visit = (node: ts.Node): void => {
      if (ts.isConstructorDeclaration(node) && !this.#constructible.has(symbol)) return;
      if (ts.isIdentifier(node)) {
        const used = this.#checker.getSymbolAtLocation(node);
        const target = used && resolved(used, this.#checker);
        if (target?.declarations?.some(isOurs) && target !== symbol) found.add(target);
      }
      ts.forEachChild(node, visit);
    };
    for (const declaration of symbol.declarations ?? []) visit(findStatement(declaration));
    return [...found];
  }

  printDeclarations(symbol: ts.Symbol): string {
    const { declarations = [] } = symbol;
    if (declarations.length === 0) throw new Error(`${symbol.name} is exported, but declared nowhere.`);
    const text = declarations.map((declaration) => bare(findStatement(declaration).getFullText())).join('\n');
    return this.#constructible.has(symbol) ? text : text.replaceAll(/^ {4}constructor\(.*\n/gm, '');
  }
}

/** Checks whether a symbol is a type, or is only exported as one. */
const isTypeOnly = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  (resolved(symbol, checker).flags & ts.SymbolFlags.Value) === 0 ||
  (symbol.declarations ?? []).some(
    (each) => ts.isExportSpecifier(each) && ts.isTypeOnlyExportDeclaration(each),
  );

const resolved = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Collects everything that a set of symbols refers to. */
function reached(from: Iterable<ts.Symbol>, reader: Reader): Set<ts.Symbol> {
  const all = new Set(from);
  for (const symbol of all) for (const used of reader.used(symbol)) all.add(used);
  return all;
}

/**
 * Describes the entry points. An export of several entry points is printed with the first one.
 *
 * @param replaced sources that replace those on the disk, by path
 */
export function describeEntryPoints(entries: readonly Entry[], replaced?: Replaced): PublicApi[] {
  const sources = entries.map(({ source }) => source);
  const program = declaredProgram(sources, replaced);
  const checker = program.getTypeChecker();
  const exports = entries.map(({ specifier, source }) => {
    const symbols = checker.getExportsOfModule(findModule(program, source));
    const values = symbols.filter((symbol) => !isTypeOnly(symbol, checker));
    const resolveAlias = (symbol: ts.Symbol) => resolved(symbol, checker);
    return {
      specifier,
      symbols: symbols.map(resolveAlias).sort(byName),
      values: new Set(values.map(resolveAlias)),
    };
  });
  const owners = new Map<ts.Symbol, string>();
  for (const { specifier, symbols } of exports)
    for (const symbol of symbols) if (!owners.has(symbol)) owners.set(symbol, specifier);
  const constructible = new Set(exports.flatMap(({ values }) => [...values]));
  const reader = new Reader(checker, owners.keys(), constructible);
  return exports.map(({ specifier, symbols, values }) => {
    const [own, others] = [true, false].map((isOwn) =>
      symbols.filter((symbol) => (owners.get(symbol) === specifier) === isOwn),
    ) as [ts.Symbol[], ts.Symbol[]];
    const unexported = [...reached(own, reader)].filter((symbol) => !owners.has(symbol)).sort(byName);
    for (const symbol of unexported) owners.set(symbol, specifier);
    const item = (symbol: ts.Symbol): Item => ({
      name: reader.findName(symbol),
      text: reader.printDeclarations(symbol),
      isValue: values.has(symbol),
    });
    return {
      specifier,
      exported: own.map(item),
      elsewhere: others.map((symbol) => ({
        name: symbol.name,
        specifier: owners.get(symbol) ?? '',
        isValue: values.has(symbol),
      })),
      unexported: unexported.map(item).sort(byName),
    };
  });
}
