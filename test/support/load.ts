/** Multiplies the random runs and the loads: `LOAD=20 npx vitest run test/model`. It is 5 each night (environments.yml). */
export const load = Number(process.env.LOAD ?? 1);

/** Sets the sequence of the random runs. A failure prints the seed that repeats it. */
export const seed = Number(process.env.SEED ?? 20_260_101);

/** Returns a number of runs for this load. */
export const runs = (each: number): number => Math.ceil(each * load);
