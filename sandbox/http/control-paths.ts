/** The path under which the control API is served. */
export const prefix = '/_sandbox';

/** Whether a request is one to the control API. */
export function isControl({ url }: Request): boolean {
  const { pathname } = new URL(url);
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}
