import { transformerTwoslash } from '@shikijs/vitepress-twoslash';
import { createTwoslasher } from 'twoslash';
import ts from 'typescript';

/**
 * Shows the types of TypeScript samples: the compiler reads each as a file of the project, and so the types of the
 * package as it was built. That samples have no errors is the business of test/docs/pages.test.ts.
 */
export const hovers = (root: string) =>
  transformerTwoslash({
    explicitTrigger: false,
    langs: ['ts'],
    throws: false,
    twoslasher: createTwoslasher({
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
    }),
    twoslashOptions: { handbookOptions: { noErrors: true } },
  });
