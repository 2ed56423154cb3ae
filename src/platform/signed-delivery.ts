/** A body exactly as it is transmitted. */
export type RawBody = string | Uint8Array;

/** A delivery whose timestamp was accepted, and whose signature was decoded but not verified yet. */
export interface SignedDelivery {
  readonly timestamp: string;
  readonly signature: Uint8Array<ArrayBuffer>;
  readonly body: RawBody;
}
