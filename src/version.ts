/** Matches package.json, which a test checks. */
export const version: string = '1.0.0-rc.1';
