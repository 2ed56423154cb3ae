export const prefix = '/_sandbox';

export function isControl({ url }: Request): boolean {
  const { pathname } = new URL(url);
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}
