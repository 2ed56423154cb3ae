/** Takes the place of `compile-schema.ts` on runtimes that run no generated code. */
export const compileSchema = undefined;
