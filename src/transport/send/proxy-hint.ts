/** Codes of a network from which only a proxy leads out. */
const unreachable = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
]);

/** A hint for a machine whose proxy is in the environment, which Node reads only if it is told to. */
export function proxyHint(code: string): string {
  const { env = {} } = (globalThis.process ?? {}) as Partial<NodeJS.Process>;
  const name = ['HTTPS_PROXY', 'https_proxy'].find((variable) => env[variable]);
  if (name === undefined || env.NODE_USE_ENV_PROXY !== undefined || !unreachable.has(code)) return '';
  return `, and ${name} is set: Node uses it with NODE_USE_ENV_PROXY=1 (22.21, 24.5 and later), or pass an agent`;
}
