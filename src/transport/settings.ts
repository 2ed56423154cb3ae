import type { Fetch, HttpAgent } from './engine.js';
import type { WireNames } from './field-names.js';
import type { Hooks } from './hooks.js';

/** The client's options with every default filled in; frozen, and never printed. */
export interface Settings {
  readonly baseUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly maxRetries: number;
  readonly fetch: Fetch | undefined;
  readonly agent: HttpAgent | undefined;
  readonly wireNames: WireNames;
  readonly hooks: Hooks;
}
