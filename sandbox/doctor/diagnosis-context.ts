import type { PaymentPlatform } from '../../src/client.js';
import type { ClientOptions } from '../../src/options.js';
import { longestTimer } from '../../src/validation/time-limit.js';
import type { ResponseName } from '../defaults/statuses.js';
import { type Builtins, findBuiltins, noBuiltins } from './builtins.js';
import type { DiagnoseOptions } from './options.js';
import { type ClientProxies, findProxies } from './proxy.js';
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

export interface DiagnosisContext {
  readonly platform: PaymentPlatform;
  readonly baseUrl: URL;
  readonly client: ClientOptions;
  readonly options: DiagnoseOptions;
  readonly builtins: Builtins | undefined;
  readonly proxies: ClientProxies;
  /** A string is the reason why the tap is missing. */
  readonly tapped: { readonly tap: Tap; readonly platform: PaymentPlatform } | string;
  /** Maximum milliseconds to wait for a request, a connection or a delivery. */
  readonly limit: number;
  readonly call: { readonly timeout: number; readonly signal: AbortSignal };
  /** Aborts if the caller ends the diagnosis, or if its time is over. */
  readonly signal: AbortSignal;
  readonly timer: Timer;
  /** Why the remaining checks would wait in vain. */
  unreachable: string | undefined;
  readonly secrets: string[];
  /** Field names can repeat the personal data of the created payments. */
  readonly personal: string[];
  readonly drift: DriftEntry[];
  /** By key. */
  readonly fieldNames: Record<string, string>;
  /** For the sandbox's option `statuses`. */
  readonly statuses: { [Name in ResponseName]?: number };
}

/** The caller must call `endDiagnosis` afterwards. */
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
  const { timeout = 30_000, afterDeploy = false } = options;
  const limit = Math.min(timeout, afterDeploy ? afterDeployLimits.check : longestTimer / limitsPerRun);
  const total = limit * limitsPerRun;
  const timer = startTimer(afterDeploy ? Math.min(total, afterDeployLimits.total) : total, options.signal);
  const { signal } = timer;
  const call = { timeout: Math.min(limit, client.timeout ?? limit), signal };
  return {
    platform,
    baseUrl,
    client,
    options,
    builtins,
    proxies: await findProxies(client, baseUrl, builtins, limit),
    tapped: await openTap(platform, baseUrl, { ...client, timeout: call.timeout }, builtins),
    limit,
    call,
    signal,
    timer,
    unreachable: undefined,
    secrets: [client.clientSecret, client.oauth?.clientSecret, options.webhookSecret].filter(
      (secret) => secret !== undefined,
    ),
    personal: [],
    drift: [],
    fieldNames: {},
    statuses: {},
  };
}

/** A diagnosis can take as long as this number of requests. */
const limitsPerRun = 6;

/** In milliseconds. */
const afterDeployLimits = { check: 3_000, total: 9_000 };

interface Timer {
  /** Aborts with the caller's signal, or when the time is over. */
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly total: number;
  readonly isOver: () => boolean;
  readonly stop: () => void;
}

function startTimer(total: number, ended: AbortSignal | undefined): Timer {
  const controller = new AbortController();
  let isOver = false;
  const end = () => controller.abort();
  const timeout = setTimeout(() => {
    isOver = true;
    end();
  }, total);
  if (ended?.aborted === true) end();
  ended?.addEventListener('abort', end, { once: true });
  const stop = () => {
    clearTimeout(timeout);
    ended?.removeEventListener('abort', end);
  };
  return { signal: controller.signal, total, isOver: () => isOver, stop };
}

export function endDiagnosis({ tapped, timer }: DiagnosisContext): void {
  timer.stop();
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
