// Reads the sources' declarations with the compiler: methods, types and options with their comments.
import ts from 'typescript';
import { createProgram, root } from '../../sources.js';

/** The entry points, and the client's namespaces, which no entry point exports. */
const entries = [
  ...[
    'src/index.ts',
    'src/webhooks/index.ts',
    'src/durable/index.ts',
    'sandbox/index.ts',
    'sandbox/testing/index.ts',
  ],
  ...['payments', 'submerchants', 'onboarding', 'certificates', 'domains', 'webhooks', 'vault'].map(
    (namespace) => `src/resources/${namespace}.ts`,
  ),
  'sandbox/http/node-server.ts',
];

/** A field of a type, or a method of a class. */
export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  /** The type as written in the source, or a method's whole signature. */
  readonly type: string;
  readonly comment: Comment;
}

/** A doc comment. */
export interface Comment {
  /** The path of the documented item, such as `ReceiverOptions.lease`. */
  readonly key: string;
  /** Paragraphs and lists, without inner line breaks. */
  readonly paragraphs: readonly string[];
  /** One string for each `@throws`. */
  readonly throws: readonly string[];
  /** The name and description of each `@param`. */
  readonly params: readonly (readonly [string, string])[];
}

/** An exported class or type. */
export interface Declared {
  readonly name: string;
  readonly comment: Comment;
  readonly members: readonly Member[];
  /** The source of a type without fields. */
  readonly text: string | undefined;
}

/**
 * Joins each paragraph of a comment to one line. Code samples are left out: `methodSamples` are tested.
 */
function splitParagraphs(text: string): string[] {
  return text
    .replaceAll(/```.*?```/gs, '')
    .split(/\n\s*\n|\n(?=\s*- )/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}

const isOptional = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Optional) !== 0;

const joinText = (parts: string | readonly ts.JSDocComment[] | undefined) =>
  (ts.getTextOfJSDocComment(parts as string) ?? '').replaceAll(/\s*\n\s*/g, ' ').trim();

/** Returns a symbol's path of declared names: `ReceiverOptions.lease`. */
function buildKey(symbol: ts.Symbol): string {
  const names = [symbol.name];
  for (let node = symbol.declarations?.[0]?.parent; node !== undefined; node = node.parent) {
    const name = (node as ts.NamedDeclaration).name;
    if (name !== undefined && ts.isIdentifier(name)) names.unshift(name.text);
  }
  return names.join('.');
}

/** Lists an entry point's exports. */
function listExports(entry: string, program: ts.Program): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(root + entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} exports nothing.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
}

/** Reads the sources with the compiler. */
export const readSources = (): ts.Program => createProgram(entries);

/** Lists the names that the entry points export. */
export const exportedNames = (program: ts.Program): string[] => [
  ...new Set(entries.flatMap((entry) => listExports(entry, program)).map(({ name }) => name)),
];

/** Reads exported declarations by name. */
export function declarations(program: ts.Program): (name: string) => Declared {
  const checker = program.getTypeChecker();
  const symbols = entries.flatMap((entry) => listExports(entry, program));
  const find = (name: string) => {
    const symbol = symbols.find((each) => each.name === name);
    if (symbol === undefined) throw new Error(`${name} is not exported.`);
    return symbol;
  };
  const readComment = (symbol: ts.Symbol): Comment => {
    const tags = symbol.declarations?.flatMap((declaration) => [...ts.getJSDocTags(declaration)]) ?? [];
    return {
      key: buildKey(symbol),
      paragraphs: splitParagraphs(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
      throws: tags
        .filter(({ tagName }) => tagName.text === 'throws')
        // The compiler parses the first name as a type.
        .map((tag) =>
          tag
            .getText()
            .replace(/^@throws\s*/, '')
            .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
            .trim(),
        ),
      params: tags
        .filter(ts.isJSDocParameterTag)
        .map((tag) => [tag.name.getText(), joinText(tag.comment as string)]),
    };
  };
  const typeText = (symbol: ts.Symbol, at: ts.Node): string => {
    const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
    if (declaration !== undefined && ts.isMethodDeclaration(declaration)) return printSignature(declaration);
    const written =
      declaration !== undefined && 'type' in declaration
        ? (declaration.type as ts.Node | undefined)
        : undefined;
    if (declaration !== undefined && ts.isMethodSignature(declaration))
      return declaration.getText().replace(/;$/, '');
    const text = written?.getText() ?? checker.typeToString(checker.getTypeOfSymbolAtLocation(symbol, at));
    const shown = text
      .replaceAll(/\/\*\*.*?\*\//gs, '')
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll('; }', ' }')
      .replace(/^\| /, '');
    // The page says that an optional member can be missing.
    return isOptional(symbol) ? shown.replace(/ \| undefined$/, '') : shown;
  };
  const isPublic = (symbol: ts.Symbol) =>
    !symbol.name.startsWith('#') &&
    !symbol.name.startsWith('__') &&
    !(symbol.declarations ?? []).some((declaration) =>
      ts.isPrivateIdentifier((declaration as ts.NamedDeclaration).name ?? declaration),
    );
  return (name) => {
    const symbol = find(name);
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) throw new Error(`${name} is declared nowhere.`);
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const members = type.isUnion()
      ? []
      : checker
          .getPropertiesOfType(type)
          .filter(isPublic)
          .map((member) => ({
            name: member.name,
            isOptional: isOptional(member),
            type: typeText(member, declaration),
            comment: readComment(member),
          }));
    const text =
      members.length === 0 && ts.isTypeAliasDeclaration(declaration)
        ? declaration.type
            .getText()
            .replaceAll(/\s*\n\s*/g, ' ')
            .replace(/^\| /, '')
        : undefined;
    return { name, comment: readComment(symbol), members, text };
  };
}

/** Prints a method's signature, without its body, on one line. */
function printSignature(method: ts.MethodDeclaration): string {
  const { body } = method;
  const text = method.getText();
  const head = body === undefined ? text : text.slice(0, body.getStart() - method.getStart());
  return head
    .replace(/^async /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace('( ', '(')
    .replace(/, ?\)/, ')')
    .trim();
}

/** The lookup, which all pages share. It is created on first use. */
let lookup: ReturnType<typeof declarations> | undefined;

/**
 * Finds an export of the package by name.
 *
 * @throws Error for a name that is not exported
 */
export const declared: ReturnType<typeof declarations> = (name) => {
  lookup ??= declarations(readSources());
  return lookup(name);
};
