import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A built version of the package. An older version can lack some of these exports. */
export interface Sdk {
  readonly main: typeof import('payment-platform');
  readonly webhooks: typeof import('payment-platform/webhooks');
  readonly sandbox: typeof import('payment-platform/sandbox');
  /** Undefined in a version without durable payments. */
  readonly durable: typeof import('payment-platform/durable') | undefined;
}

/**
 * Loads a build.
 *
 * @param folder the package's folder
 */
export async function loadedSdk(folder: string): Promise<Sdk> {
  const load = (name: string) => {
    const file = join(folder, 'dist', `${name}.js`);
    return existsSync(file) ? import(pathToFileURL(file).href) : undefined;
  };
  const [main, webhooks, sandbox, durable] = await Promise.all(
    ['index', 'webhooks', 'sandbox', 'durable'].map(load),
  );
  if (main === undefined) throw new Error(`${folder} has no dist/index.js: build it first.`);
  return { main, webhooks, sandbox, durable };
}
