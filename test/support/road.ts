import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The functions and modules that one operation ran. */
export interface Road {
  /** The functions, as `file: name`, in the order of their first calls. */
  readonly functions: readonly string[];
  readonly files: readonly string[];
  /** The number of calls that go to a different file than the previous call. */
  readonly changesOfFile: number;
  /** This package's types that these functions name. */
  readonly types: readonly string[];
}

interface Entered {
  readonly file: string;
  readonly name: string;
  readonly types: readonly string[];
}

const hasBody = (node: ts.Node): node is ts.FunctionLikeDeclaration & { readonly body: ts.Node } =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

/** Returns the name that a reader would look for. */
function findName(node: ts.Node): string {
  const named = node as { readonly name?: ts.Node };
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name?.text ?? ''}`;
  if (named.name !== undefined) return named.name.getText();
  return ts.isVariableDeclaration(node.parent) || ts.isPropertyDeclaration(node.parent)
    ? node.parent.name.getText()
    : '(anonymous)';
}

/** Collects a function's type names, without those in inner functions. */
function typesIn(node: ts.Node): string[] {
  const found: string[] = [];
  const visit = (inner: ts.Node): void => {
    if (inner !== node && hasBody(inner)) return;
    if (ts.isTypeReferenceNode(inner) && ts.isIdentifier(inner.typeName)) found.push(inner.typeName.text);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

/** Makes every function of the sources report its calls. */
function instrument(path: string, functions: Entered[]): string {
  const text = readFileSync(path, 'utf8');
  const file = relative(join(root, 'src'), path);
  const inserts: [at: number, text: string][] = [];
  const visit = (node: ts.Node): void => {
    if (hasBody(node)) {
      functions.push({ file, name: findName(node), types: typesIn(node) });
      const enter = `globalThis.entered?.push(${functions.length - 1})`;
      if (ts.isBlock(node.body)) inserts.push([node.body.getStart() + 1, `${enter};`]);
      else inserts.push([node.body.getStart(), `(${enter}, `], [node.body.end, ')']);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  // Inserting from the end keeps earlier positions valid. At equal positions the outer function is inserted
  // last.
  return inserts
    .map(([at, insert], order) => ({ at, insert, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order)
    .reduce((before, { at, insert }) => before.slice(0, at) + insert + before.slice(at), text);
}

/** Lists the names of all types that the sources declare. */
const ownTypes = () =>
  new Set(
    readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(join(root, 'src', name), 'utf8').matchAll(
          /^(?:export )?(?:interface|type|class) (\w+)/gm,
        ),
      ])
      .map(([, name = '']) => name),
  );

/** Bundles the sources as one instrumented module. */
export async function instrumentedSources() {
  const functions: Entered[] = [];
  const instrumented: Plugin = {
    name: 'instrumented',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
        contents: instrument(path, functions),
        loader: 'ts',
      })),
  };
  const outfile = join(root, `node_modules/.cache/road-${process.pid}.mjs`);
  await build({
    stdin: {
      contents:
        "export * from './src/index.ts'; export { createReceiver, sign } from './src/webhooks/index.ts';",
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [instrumented],
  });
  const sources = (await import(pathToFileURL(outfile).href)) as typeof import('payment-platform') &
    Pick<typeof import('payment-platform/webhooks'), 'createReceiver' | 'sign'>;
  rmSync(outfile);
  const types = ownTypes();

  /** Runs work, and returns the functions and modules that the work ran. */
  async function recordRoad(work: () => Promise<unknown>): Promise<Road> {
    const entered: number[] = [];
    Object.assign(globalThis, { entered });
    await work();
    Object.assign(globalThis, { entered: undefined });
    const called = entered.map((index) => functions[index] as Entered);
    return {
      functions: [...new Set(entered)].map((index) => `${functions[index]?.file}: ${functions[index]?.name}`),
      files: [...new Set(called.map(({ file }) => file))],
      changesOfFile: called.filter(({ file }, index) => index > 0 && file !== called[index - 1]?.file).length,
      types: [...new Set(called.flatMap((one) => one.types))].filter((name) => types.has(name)),
    };
  }
  return { ...sources, recordRoad };
}
