/** Takes the place of `server.ts` in browsers and Workers, which cannot open a port. */
export const serve = (): Promise<never> =>
  Promise.reject(
    new TypeError(
      'listen: a browser and a Worker cannot open a port. Give clientOptions() or fetch of the sandbox to the client, or listen in Node.',
    ),
  );
