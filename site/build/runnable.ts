import { transformSync } from 'esbuild';
import type { MarkdownRenderer } from 'vitepress';

const imports = /^import\s*(\{[^}]*\})\s*from\s*["']([^"']+)["'];?$/gm;

/** Converts a sample to the body of an async function, without types, and with `load` instead of `import`. */
export function toScript(code: string): string {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'esm', target: 'es2022' });
  return script.replace(
    imports,
    (_, names: string, from: string) =>
      `const ${names.replaceAll(/\s+as\s+/g, ': ')} = await load(${JSON.stringify(from)});`,
  );
}

/** The modules that a page can load. */
const inThePage = /from 'payment-platform(\/(sandbox|webhooks|testing))?'/;

/** Checks whether a page can run a sample: its fence says `run`, and it imports only this package. */
export function isRunnable(info: string, code: string): boolean {
  const imported = [...code.matchAll(/from '([^']+)'/g)];
  return info === 'ts run' && imported.length > 0 && imported.every(([from]) => inThePage.test(from));
}

/** Replaces the samples that a page can run with the component that runs them. */
export function runnable(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  if (fence === undefined) throw new Error('The renderer has no rule for code.');
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const html = fence(tokens, index, options, env, self);
    if (token === undefined || !isRunnable(token.info.trim(), token.content)) return html;
    const script = encodeURIComponent(toScript(token.content));
    return `<RunSample script="${script}">${html}</RunSample>`;
  };
}
