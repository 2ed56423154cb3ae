/** Takes the place of `own-engine.ts` in the build for runtimes on which fetch is the engine. */
export const ownEngine = (): undefined => undefined;
