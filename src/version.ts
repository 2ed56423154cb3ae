/** The same as in package.json: a test holds them together. */
export const version: string = '1.0.0-rc.1';
