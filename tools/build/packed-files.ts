import { transform } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

const countMarks = (code: string): number => code.match(/@__(PURE|NO_SIDE_EFFECTS)__/g)?.length ?? 0;

/**
 * Makes the marks a part of the code: prefixes of names, assignments and statements. The list of names at the end of
 * a CommonJS file, which is for ES modules that import it, is never executed, so esbuild would remove it.
 */
const hideMarks = (code: string): string =>
  code
    .replace(/\/\* @__PURE__ \*\/ (new )?(?=[\w$])/g, '$1pure__')
    .replaceAll('/* @__PURE__ */ ', 'pure__ = ')
    .replaceAll('// @__NO_SIDE_EFFECTS__\n', 'effectless__;\n')
    .replaceAll('/* @__NO_SIDE_EFFECTS__ */ ', 'effectless__ = ')
    .replace(/^0 && \(module\.exports/m, 'names__ && (module.exports');

const showMarks = (code: string): string =>
  code
    .replace(/(new\s)?\bpure__=?/g, '/* @__PURE__ */$1')
    .replace(/\beffectless__[=;]/g, '/* @__NO_SIDE_EFFECTS__ */')
    .replace(/\bnames__&&/, '0&&');

/**
 * Removes the whitespace and comments of a file. Its names stay, so stack traces are readable, and the marks of calls
 * without effects. esbuild's own `minifyWhitespace` removes the marks as well, and a merchant's bundle that imports
 * one name would contain more of the package.
 */
export const packed: Plugin = {
  name: 'packed',
  async renderChunk(code, { path }) {
    // Stack traces and debuggers show a line.
    const options = { target: 'node20', minifyWhitespace: true, lineLimit: 200 };
    const { code: short } = await transform(hideMarks(code), options);
    const marked = showMarks(short);
    if (countMarks(marked) !== countMarks(code)) throw new Error(`${path} lost marks of pure calls.`);
    return { code: marked };
  },
};
