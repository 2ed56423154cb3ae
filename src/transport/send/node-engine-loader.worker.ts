/** Takes the place of `node-engine-loader.ts` in the build for runtimes on which fetch is the engine. */
export const nodeEngineLoader = (): undefined => undefined;
