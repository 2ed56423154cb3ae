import { transform } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

const countMarks = (code: string): number => code.match(/@__(PURE|NO_SIDE_EFFECTS)__/g)?.length ?? 0;

/** Makes the marks a part of the code: prefixes of names, assignments and statements. */
const hideMarks = (code: string): string =>
  code
    .replace(/\/\* @__PURE__ \*\/ (new )?(?=[\w$])/g, '$1pure__')
    .replaceAll('/* @__PURE__ */ ', 'pure__ = ')
    .replaceAll('// @__NO_SIDE_EFFECTS__\n', 'effectless__;\n')
    .replaceAll('/* @__NO_SIDE_EFFECTS__ */ ', 'effectless__ = ');

const showMarks = (code: string): string =>
  code
    .replace(/(new\s)?\bpure__=?/g, '/* @__PURE__ */$1')
    .replace(/\beffectless__[=;]/g, '/* @__NO_SIDE_EFFECTS__ */');

/**
 * Removes whitespace and comments from the files for Workers. All names stay, so stack traces are readable. The
 * marks of calls without effects also stay. esbuild removes them with the whitespace, and a Worker that imports
 * one name would get more of the package.
 */
export const withoutWhitespace: Plugin = {
  name: 'without-whitespace',
  async renderChunk(code, { path }) {
    // Stack traces and debuggers show a line.
    const options = { format: 'esm', target: 'node20', minifyWhitespace: true, lineLimit: 200 } as const;
    const { code: short } = await transform(hideMarks(code), options);
    const marked = showMarks(short);
    if (countMarks(marked) !== countMarks(code)) throw new Error(`${path} lost marks of pure calls.`);
    return { code: marked };
  },
};
