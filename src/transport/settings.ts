import type { AuthMode } from '../auth/credentials.js';
import type { OAuthOptions } from '../auth/oauth.js';
import type { RequestsPerMinute } from '../contract/limits.js';
import type { ChecksOff } from '../contract/sdk-checks.js';
import type { WireNames } from '../contract/wire-names.js';
import type { CallTelemetry } from '../telemetry/calls.js';
import type { Hooks } from './call/hooks.js';
import type { RateLimitMode } from './retry/rate-limit-options.js';
import type { RateLimitStore } from './retry/rate-limit-store.js';
import type { Fetch, HttpAgent } from './send/http-client.js';

/** Frozen, and never printed. */
export interface Settings {
  readonly baseUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly oauth: OAuthOptions;
  readonly auth: AuthMode;
  /** For a whole call. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly rateLimit: RateLimitMode;
  readonly rateLimits: RequestsPerMinute;
  readonly rateLimitStore: RateLimitStore | undefined;
  readonly names: WireNames;
  readonly checksOff: ChecksOff;
  /** The codes of a 409 that say that the platform is still executing the first attempt. */
  readonly inProgressCodes: readonly string[];
  readonly hooks: Hooks;
  readonly telemetry: CallTelemetry | undefined;
  readonly fetch: Fetch | undefined;
  readonly agent: HttpAgent | undefined;
}

/** The client id that the platform sees. With a token alone, the header's is never sent. */
export const merchantId = ({ auth, clientId, oauth }: Settings): string =>
  auth === 'oauth' ? (oauth.clientId ?? clientId) : clientId;
