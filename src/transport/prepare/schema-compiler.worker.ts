/** Takes the place of `schema-compiler.ts` on runtimes that run no generated code. */
export const loadCompiler = undefined;
