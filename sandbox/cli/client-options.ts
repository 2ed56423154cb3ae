import type { ClientOptions } from '../../src/index.js';
import { configPath, readConfig } from './config-file.js';

/** The options in a configuration file that the client uses. The sandbox uses some of them too. */
const clientOptions = [
  'baseUrl',
  'clientId',
  'clientSecret',
  'auth',
  'oauth',
  'fieldNames',
  'checks',
  'insecureHosts',
] as const;

/** Reads the client's options from a configuration file. The client reads the others from the environment. */
export async function readClientOptions({
  baseUrl,
  config,
}: {
  readonly baseUrl?: string;
  readonly config?: string;
}): Promise<ClientOptions> {
  const path = configPath(config);
  const found = path === undefined ? {} : ((await readConfig(path)) as Readonly<Record<string, unknown>>);
  const known = clientOptions.filter((name) => found[name] !== undefined);
  return {
    ...Object.fromEntries(known.map((name) => [name, found[name]])),
    ...(baseUrl !== undefined && { baseUrl }),
  };
}
