import { defaultHoverInfoProcessor, transformerTwoslash } from '@shikijs/vitepress-twoslash';
import { createTwoslasher, type TwoslashReturn } from 'twoslash';
import ts from 'typescript';
import { declarations, exportedNames, readSources } from '../../tools/docs/reference/declarations';

/** Fields whose type adds nothing to the sample. */
const plain = new Set(['id', 'name', 'value', 'body', 'path', 'key', 'type', 'number', 'then', 'length']);

/** Collects the package's exports with their fields and methods. */
function namesOfPackage(): ReadonlySet<string> {
  const program = readSources();
  const find = declarations(program);
  const names = exportedNames(program);
  const members = names.flatMap((name) => find(name).members.map((member) => member.name));
  return new Set([...names, ...members].filter((name) => !plain.has(name)));
}

/** Explains each name at its first use in a sample. */
function firstOfEach(shown: TwoslashReturn): TwoslashReturn {
  const seen = new Set<string>();
  shown.nodes = shown.nodes.filter((node) => {
    if (node.type !== 'hover') return true;
    const isFirst = !seen.has(node.target);
    seen.add(node.target);
    return isFirst;
  });
  return shown;
}

/** Compiles a sample. The compiler starts with the first sample that is not kept. */
function lazyTwoslasher(root: string) {
  let names: ReadonlySet<string> | undefined;
  let twoslasher: ReturnType<typeof createTwoslasher> | undefined;
  return (...[code, lang, options]: Parameters<ReturnType<typeof createTwoslasher>>): TwoslashReturn => {
    names ??= namesOfPackage();
    const known = names;
    twoslasher ??= createTwoslasher({
      vfsRoot: root,
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        moduleDetection: ts.ModuleDetectionKind.Force,
        target: ts.ScriptTarget.ES2022,
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
        types: ['node'],
        strict: true,
        skipLibCheck: true,
      },
    });
    const shouldGetHoverInfo = (name: string) => known.has(name);
    return firstOfEach(twoslasher(code, lang, { ...options, shouldGetHoverInfo }));
  };
}

/**
 * Shows the types of this package's names in TypeScript samples. The compiler reads each sample as a file of the
 * project, with the types of the built package. test/interop/docs/pages.test.ts checks that samples compile.
 */
export function hovers(root: string) {
  return transformerTwoslash({
    explicitTrigger: false,
    langs: ['ts'],
    throws: false,
    // A long type's comment would fill a page. Its first paragraph is enough.
    processHoverInfo: (info) => {
      const text = defaultHoverInfoProcessor(info);
      return text.length > 400 ? `${text.slice(0, 400)}…` : text;
    },
    processHoverDocs: (docs) => docs.split('\n\n')[0] ?? docs,
    twoslasher: lazyTwoslasher(root),
    twoslashOptions: { handbookOptions: { noErrors: true } },
  });
}
