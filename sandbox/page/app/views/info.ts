import type { Counts } from '../../../control-api/action.js';

/** The part that the page needs of `GET /_sandbox/info`. */
export interface Info {
  readonly version: string;
  readonly merchants: readonly {
    readonly clientId: string;
    readonly features: Readonly<Record<'paas' | 'split', boolean>>;
  }[];
  readonly testCards: Readonly<Record<string, string>>;
  readonly counts: Counts;
  readonly operations: readonly string[];
}
