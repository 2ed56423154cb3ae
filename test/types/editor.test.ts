import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { paymentMethods } from '../../src/contract/payments/methods.js';
import { entryPoints } from '../../tools/package/entry-points.mjs';
import { createProgram, root } from '../../tools/sources.js';
import { options } from '../support/compile.js';

const path = (name: string) => join(root, `test/types/${name}`);

const prelude = `import type { PaymentPlatform } from '../../src/index.js';
declare const platform: PaymentPlatform;
`;

/** Creates an editor with some open files, which can be virtual. */
function editor(files: ReadonlyMap<string, string>): ts.LanguageService {
  const readText = (file: string) => files.get(file) ?? ts.sys.readFile(file);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = readText(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => files.has(file) || ts.sys.fileExists(file),
    readFile: readText,
  });
}

describe('an editor’s completion in payments.create(…)', () => {
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
    [method, paymentMethods],
    ["{ paymentMethod: '|' }", paymentMethods],
    ["{ paymentMethod: 'pix', | }", [...common, 'customer', 'pix']],
    ["{ paymentMethod: 'boleto', | }", [...common, 'customer', 'boleto']],
    ["{ paymentMethod: 'credit_card', | }", [...common, 'customer', 'card', 'wallet', 'threeDSData']],
  ];
  const texts = cases.map(([argument]) => `${prelude}platform.payments.create(${argument});\n`);
  const service = editor(
    new Map(texts.map((text, index) => [path(`editor-${index}.ts`), text.replace('|', '')])),
  );

  test.each(cases.map(([argument, offered], index) => ({ argument, offered, index })))(
    'offers exactly the right fields after $argument',
    ({ offered, index }) => {
      const at = texts[index]?.indexOf('|') ?? -1;
      const found = service.getCompletionsAtPosition(path(`editor-${index}.ts`), at, {})?.entries ?? [];
      expect(found.map(({ name }) => name).sort()).toEqual([...offered].sort());
    },
  );
});

describe('an editor’s documentation', () => {
  const program = createProgram(
    entryPoints.exports.map(({ source }) => source),
    options,
  );
  const checker = program.getTypeChecker();

  const isOwn = (symbol: ts.Symbol) =>
    /^(?:src|sandbox)\//.test(relative(root, symbol.declarations?.[0]?.getSourceFile().fileName ?? ''));

  const memberKinds = ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor;

  /** Lists the members after a dot, inherited members included. A union has the members of all its types. */
  function listMembers(symbol: ts.Symbol): ts.Symbol[] {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const type = checker.getDeclaredTypeOfSymbol(target);
    const types = type.isUnion() ? type.types : [type];
    return [
      ...types.flatMap((each) => checker.getPropertiesOfType(each)),
      ...(target.exports?.values() ?? []),
    ].filter((member) => member.flags & memberKinds && isOwn(member) && !/^(#|__@)/.test(member.name));
  }

  /** Lists the classes of a type's members, such as `Payments` of `PaymentPlatform`, and of their members. */
  function listResources(symbol: ts.Symbol): ts.Symbol[] {
    return listMembers(symbol)
      .map((member) => checker.getTypeOfSymbol(member).symbol as ts.Symbol | undefined)
      .filter((found) => found !== undefined && found.flags & ts.SymbolFlags.Class && isOwn(found))
      .flatMap((found) => (found === undefined ? [] : [found, ...listResources(found)]));
  }

  /** Lists the undocumented members of an exported type that this package declares. */
  function silent(symbol: ts.Symbol): string[] {
    const names = listMembers(symbol)
      .filter((member) => member.getDocumentationComment(checker).length === 0)
      .map((member) => `${symbol.name}.${member.name}`);
    return [...new Set(names)];
  }

  test.each(entryPoints.exports)('exists for everything that $specifier exports', ({ source }) => {
    const file = program.getSourceFile(join(root, source));
    const entry = file && checker.getSymbolAtLocation(file);
    const all = entry === undefined ? [] : checker.getExportsOfModule(entry);
    expect(all.length).toBeGreaterThan(5);
    expect(all.flatMap((symbol) => [symbol, ...listResources(symbol)]).flatMap(silent)).toEqual([]);
  });
});

describe('the examples in doc comments', () => {
  const context = `import { openTelemetry, PaymentPlatform, responseOf } from '../../src/index.js';
import type { IdentityCard, OnboardingPf, PixPayment } from '../../src/index.js';
import { createSandbox } from '../../sandbox/index.js';
import { type FastifyWebhookInstance, type NodeHandler, type PostgresPool, type Receiver, type RedisClient, createReceiver, fastifyWebhooks, postgresDedupe, redisDedupe, toLambdaHandler, toNodeHandler, verify } from '../../src/webhooks/index.js';
import { type PaymentStore, createDurableOnboarding, createDurablePayments, createDurableWithdrawals, postgresPayments } from '../../src/durable/index.js';
import { paymentStoreChecks } from '../../sandbox/testing/index.js';
import { createServer } from 'node:http';
declare const receiver: Receiver;
declare const pool: PostgresPool;
declare const redis: RedisClient;
declare const logger: Console;
declare const app: {
  post(path: string, handler: NodeHandler): void;
  register<Options>(plugin: (instance: FastifyWebhookInstance, options?: Options) => Promise<void>, options: Options): void;
};
declare const platform: PaymentPlatform;
declare const seller: Omit<OnboardingPf & IdentityCard, keyof IdentityCard | 'selfie'>;
declare const order: PixPayment;
declare const encryptionKeys: Uint8Array;
declare const signal: AbortSignal;
declare function test(name: string, run: () => Promise<void>): void;
declare function emptyStore(): Promise<PaymentStore>;
declare const secret: string;
declare function ship(order: string | undefined): Promise<void>;
`;

  const sources = ['src', 'sandbox']
    .flatMap((folder) => ts.sys.readDirectory(join(root, folder), ['.ts']))
    .map((file) => ts.sys.readFile(file) ?? '');
  const examples = sources
    .flatMap((text) => text.match(/(?<=@example\n)( +\* (?!@).*\n)+/g) ?? [])
    .map((block) => block.replace(/^ +\* (```.*)?/gm, '').trim());
  // Inside a block, an example can redeclare a name from its context.
  const texts = examples.map((example) =>
    example.startsWith('export') ? `${context}${example}\n` : `${context}{\n${example}\n}\n`,
  );
  const service = editor(new Map(texts.map((text, index) => [path(`example-${index}.ts`), text])));

  test('number at least six', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  test.each(examples.map((example, index) => ({ name: example.split('\n')[0], index })))(
    'compile: $name',
    ({ index }) => {
      const file = path(`example-${index}.ts`);
      const problems = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
      expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual(
        [],
      );
    },
  );
});
