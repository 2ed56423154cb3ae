/** Takes the place of `proxy-hint.ts` where no fetch reads the environment. */
export const proxyHint = (_: string): string => '';
