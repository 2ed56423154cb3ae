/** Replaces `node-state-file.ts` in browsers and Workers, which lack a file system. */
function unavailable(): never {
  throw new TypeError(
    'createSandbox: a browser and a Worker have no files for stateFile. Keep the result of save(), and give it as state.',
  );
}

export const loadFile = unavailable;
export const rejectOtherFile = unavailable;

/** Never instantiated, because the option is rejected first. */
export class StateFile {}
