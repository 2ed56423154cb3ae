/** The path of the control API. */
export const prefix = '/_sandbox';

/** Checks whether a request is for the control API. */
export function isControl({ url }: Request): boolean {
  const { pathname } = new URL(url);
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}
