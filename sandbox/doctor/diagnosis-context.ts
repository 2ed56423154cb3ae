import type { PaymentPlatform } from '../../src/client.js';
import type { ClientOptions } from '../../src/options.js';
import { isRecord } from '../../src/validation/record.js';
import type { ResponseName } from '../defaults/statuses.js';
import { type Builtins, findBuiltins, noBuiltins } from './builtins.js';
import type { DiagnoseOptions } from './options.js';
import { Tap } from './tap.js';

/** A difference between a response and the API docs. */
export interface DriftEntry {
  /** The operation, such as `webhooks.list`. */
  readonly operation: string;
  /** The path of the field, without list positions. */
  readonly field: string;
  /** The difference between the response and the API docs. */
  readonly problem: string;
}

/** The examined client, the network path to its platform, and the findings so far. */
export interface DiagnosisContext {
  readonly platform: PaymentPlatform;
  readonly baseUrl: URL;
  readonly client: ClientOptions;
  readonly options: DiagnoseOptions;
  readonly builtins: Builtins | undefined;
  /** The hosts of the proxies on the way to the platform. */
  readonly proxies: readonly string[];
  /** The tap, and a client that sends through it; or the reason why they are missing. */
  readonly tapped: { readonly tap: Tap; readonly platform: PaymentPlatform } | string;
  /** Maximum milliseconds to wait for a connection or a delivery. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly secrets: string[];
  readonly drift: DriftEntry[];
  /** Overrides for `fieldNames`, by key. */
  readonly fieldNames: Record<string, string>;
  /** Values for the sandbox's option `statuses`. */
  readonly statuses: { [Name in ResponseName]?: number };
}

/** Collects the data that the checks of a diagnosis share. The caller must call `endDiagnosis` afterwards. */
export async function prepareDiagnosis(
  platform: PaymentPlatform,
  baseUrl: URL,
  options: DiagnoseOptions,
): Promise<DiagnosisContext> {
  const { PAYMENT_PLATFORM_CLIENT_ID, PAYMENT_PLATFORM_CLIENT_SECRET } = globalThis.process?.env ?? {};
  const client: ClientOptions = {
    ...options.client,
    clientId: options.client?.clientId ?? PAYMENT_PLATFORM_CLIENT_ID,
    clientSecret: options.client?.clientSecret ?? PAYMENT_PLATFORM_CLIENT_SECRET,
  };
  const builtins = findBuiltins();
  return {
    platform,
    baseUrl,
    client,
    options,
    builtins,
    proxies: findProxies(client, baseUrl),
    tapped: await openTap(platform, baseUrl, client, builtins),
    limit: options.timeout ?? 30_000,
    signal: options.signal ?? new AbortController().signal,
    secrets: [client.clientSecret, client.oauth?.clientSecret, options.webhookSecret].filter(
      (secret) => secret !== undefined,
    ),
    drift: [],
    fieldNames: {},
    statuses: {},
  };
}

export function endDiagnosis({ tapped }: DiagnosisContext): void {
  if (typeof tapped === 'string') return;
  tapped.platform.close();
  tapped.tap.close();
}

async function openTap(
  platform: PaymentPlatform,
  baseUrl: URL,
  client: ClientOptions,
  builtins: Builtins | undefined,
): Promise<DiagnosisContext['tapped']> {
  if (builtins === undefined) return noBuiltins;
  if (!client.clientId || !client.clientSecret)
    return "It needs the client's credentials: pass diagnose the option client, or set PAYMENT_PLATFORM_CLIENT_ID and PAYMENT_PLATFORM_CLIENT_SECRET.";
  const tap = await Tap.open(builtins, baseUrl, client);
  // Uses the passed client's class, because an import could be another copy of the package.
  const Client = platform.constructor as typeof PaymentPlatform;
  const agent = new builtins.http.Agent({ keepAlive: true });
  const { hooks: _, telemetry: __, fetch: ___, ...settings } = client;
  return { tap, platform: new Client({ ...settings, baseUrl: tap.url, agent }) };
}

/** Lists proxies without their usernames and passwords. */
function findProxies({ agent, fetch }: ClientOptions, { protocol, hostname }: URL): string[] {
  if (fetch !== undefined) return [];
  const ofAgent = isRecord(agent) ? agent.proxy : undefined;
  if (ofAgent instanceof URL) return [ofAgent.host];
  const { env } = globalThis.process ?? { env: {} };
  if (agent !== undefined || env.NODE_USE_ENV_PROXY !== '1') return [];
  const isSecure = protocol === 'https:';
  const value = isSecure ? env.https_proxy || env.HTTPS_PROXY : env.http_proxy || env.HTTP_PROXY;
  const excluded = (env.no_proxy || env.NO_PROXY || '').split(',').map((name) => name.trim());
  const isExcluded = excluded.some((name) => name === '*' || (name !== '' && hostname.endsWith(name)));
  return value && !isExcluded && URL.canParse(value) ? [new URL(value).host] : [];
}
