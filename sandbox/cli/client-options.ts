import type { ClientOptions } from '../../src/index.js';
import { configPath, readConfig } from './config-file.js';
import { Failure } from './failure.js';

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

export const notOfTheSandbox = ['baseUrl', 'auth', 'insecureHosts', 'databaseUrl'] as const;

export async function readDatabaseUrl({
  config,
}: {
  readonly config?: string | undefined;
}): Promise<string | undefined> {
  const path = configPath(config);
  const { databaseUrl } =
    path === undefined ? {} : ((await readConfig(path)) as { readonly databaseUrl?: unknown });
  if (databaseUrl === undefined || typeof databaseUrl === 'string') return databaseUrl;
  throw new Failure(`databaseUrl in ${path} must be a string.`);
}

/** The client reads the other options from the environment. */
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
