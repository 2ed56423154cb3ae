export const prefix = '/_sandbox';

/** The sandbox's version, in each response of the control API and in each rejection of a host. */
export const sandboxHeader = 'payment-platform-sandbox';

export function isControl({ url }: Request): boolean {
  const { pathname } = new URL(url);
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}
