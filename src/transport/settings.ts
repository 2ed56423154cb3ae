import type { OAuthOptions } from '../auth/oauth.js';
import type { CallDefaults } from './prepare/prepare-call.js';
import type { RateLimitSettings } from './retry/rate-limit.js';
import type { SendSettings } from './retry/send-with-retries.js';
import type { Fetch, HttpAgent } from './send/engine.js';

/** The client's options with every default filled in. Frozen, and never printed. */
export interface Settings extends CallDefaults, SendSettings, RateLimitSettings {
  readonly clientSecret: string;
  readonly oauth: OAuthOptions;
  readonly fetch: Fetch | undefined;
  readonly agent: HttpAgent | undefined;
}
