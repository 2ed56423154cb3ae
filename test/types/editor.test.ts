import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { entryPoints } from '../package/entry-points.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const path = (name: string) => join(root, `test/types/${name}`);

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
};

const prelude = `import type { PaymentPlatform } from '../../src/index.js';
declare const platform: PaymentPlatform;
`;

/** An editor in which some files are open. They need not exist. */
function editor(files: ReadonlyMap<string, string>): ts.LanguageService {
  const textOf = (file: string) => files.get(file) ?? ts.sys.readFile(file);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = textOf(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => files.has(file) || ts.sys.fileExists(file),
    readFile: textOf,
  });
}

describe('what an editor offers in payments.create', () => {
  const method = "{ amount: 1990, items: [], paymentMethod: '|' }";
  const common = [
    'amount',
    'clientIp',
    'externalId',
    'items',
    'metadata',
    'split',
    'statementDescriptor',
    'subMerchant',
  ];
  const cases: readonly (readonly [argument: string, offered: readonly string[]])[] = [
    [method, ['pix', 'credit_card', 'boleto']],
    ["{ paymentMethod: '|' }", ['pix', 'credit_card', 'boleto']],
    ["{ paymentMethod: 'pix', | }", [...common, 'customer', 'pix']],
    ["{ paymentMethod: 'boleto', | }", [...common, 'customer', 'boleto']],
    ["{ paymentMethod: 'credit_card', | }", [...common, 'customer', 'card', 'wallet', 'threeDSData']],
  ];
  const texts = cases.map(([argument]) => `${prelude}platform.payments.create(${argument});\n`);
  const service = editor(
    new Map(texts.map((text, index) => [path(`editor-${index}.ts`), text.replace('|', '')])),
  );

  test.each(cases.map(([argument, offered], index) => ({ argument, offered, index })))(
    '$argument',
    ({ offered, index }) => {
      const at = texts[index]?.indexOf('|') ?? -1;
      const found = service.getCompletionsAtPosition(path(`editor-${index}.ts`), at, {})?.entries ?? [];
      expect(found.map(({ name }) => name).sort()).toEqual([...offered].sort());
    },
    60_000,
  );
});

describe('what an editor shows', () => {
  const program = ts.createProgram(
    entryPoints.exports.map(({ source }) => join(root, source)),
    options,
  );
  const checker = program.getTypeChecker();

  const documented = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0;

  /** The members of an exported type that are declared in this package, and have no comment. */
  function silent(symbol: ts.Symbol): string[] {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const members = [...(target.members ?? []), ...(target.exports ?? [])]
      .map(([, member]) => member)
      .filter(
        (member) =>
          member.flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor),
      )
      .filter((member) => member.declarations?.[0]?.getSourceFile().fileName.startsWith(join(root, 'src')));
    return members
      .filter((member) => !member.name.startsWith('__') && !documented(member))
      .map((member) => `${symbol.name}.${member.name}`);
  }

  test.each(entryPoints.exports)('over everything that $specifier exports', ({ source }) => {
    const file = program.getSourceFile(join(root, source));
    const entry = file && checker.getSymbolAtLocation(file);
    const all = entry === undefined ? [] : checker.getExportsOfModule(entry);
    expect(all.length).toBeGreaterThan(5);
    expect(all.flatMap(silent)).toEqual([]);
  });
});
