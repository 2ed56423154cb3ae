/** The part of the response of `GET /_sandbox/info` that the page needs. */
export interface Info {
  readonly version: string;
  readonly merchants: readonly {
    readonly clientId: string;
    readonly features: Readonly<Record<'paas' | 'split', boolean>>;
  }[];
  readonly testCards: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<'payments' | 'requests' | 'deliveries', number>>;
  readonly operations: readonly string[];
}
