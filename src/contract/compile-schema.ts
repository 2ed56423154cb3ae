import { compile } from './zod.js';

/** Makes a function of a schema; undefined on runtimes that run no generated code. */
export const compileSchema: typeof compile | undefined = compile;
