/** The part that the page needs of `GET /_sandbox/info`. */
export interface Info {
  readonly version: string;
  readonly merchants: readonly {
    readonly clientId: string;
    readonly features: Readonly<Record<'paas' | 'split', boolean>>;
  }[];
  readonly testCards: Readonly<Record<string, string>>;
  readonly counts: Readonly<
    Record<'payments' | 'requests' | 'rejected' | 'deliveries' | 'failed', number>
  > & {
    readonly paymentsByStatus: Readonly<Record<string, number>>;
    readonly deliveriesByState: Readonly<Record<string, number>>;
  };
  readonly operations: readonly string[];
}
