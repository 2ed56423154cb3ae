/** Bun and Deno also provide them. */
export interface Builtins {
  readonly dns: typeof import('node:dns/promises');
  readonly http: typeof import('node:http');
  readonly https: typeof import('node:https');
  readonly net: typeof import('node:net');
  readonly tls: typeof import('node:tls');
  readonly zlib: typeof import('node:zlib');
}

/**
 * Undefined in browsers, in Workers and in Node before 20.16. Uses no `import`, so that bundlers for those
 * runtimes have nothing to resolve.
 */
export function findBuiltins(): Builtins | undefined {
  const load = globalThis.process?.getBuiltinModule;
  if (typeof load !== 'function') return undefined;
  const [dns, http, https] = [load('node:dns/promises'), load('node:http'), load('node:https')];
  const [net, tls, zlib] = [load('node:net'), load('node:tls'), load('node:zlib')];
  // Workers with Node compatibility have some of these modules, but cannot listen.
  const isComplete = [dns, http?.createServer, https, net?.connect, tls?.connect, zlib].every(Boolean);
  return isComplete ? { dns, http, https, net, tls, zlib } : undefined;
}

export const noBuiltins = 'This runtime has no sockets. Run it on Node 20.16 or later, Bun or Deno.';
