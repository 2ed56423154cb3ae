import { randomUUID } from 'node:crypto';
import { sign } from 'payment-platform/webhooks';

/** The path that deliveries arrive at. */
export const path = '/webhooks';

export const secret = 'whsec_0123456789abcdef';

/** A delivery as sent, or the beginning of a delivery. */
export interface Sent {
  readonly method?: string;
  /** Default `/webhooks`. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body. In a chunked body, each part is a chunk. */
  readonly parts: readonly Uint8Array[];
  readonly isChunked?: boolean;
  /** A false Content-Length; by default the true length. */
  readonly declaredLength?: number;
  /** The client's action after the parts, unless the body ends with them. */
  readonly ending?: 'stalls' | 'hangs up';
}

/** A payment's notification, with its own id. */
export interface Notification {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Contains two-byte and four-byte characters in UTF-8, and spaces that no serialiser writes. */
const textWith = (id: string, padding: string) =>
  `{ "event": "transaction.paid", "id": "${id}", "status": "paid", "customer": { "name": "Conceição 😀" }, "padding": "${padding}" }`;

/** Creates a notification signed with the receiver's secret, or with another key. */
export function notification({ length, key = secret }: { length?: number; key?: string } = {}): Notification {
  const id = randomUUID();
  const missing = length === undefined ? 0 : length - Buffer.byteLength(textWith(id, ''));
  const body = Buffer.from(textWith(id, '.'.repeat(missing)));
  return { body, headers: { 'content-type': 'application/json', ...sign({ body, secret: key }) } };
}

export const whole = ({ body, headers }: Notification): Sent => ({ headers, parts: [body] });

/** Sends the notification in two chunks, split inside the character ç. */
export function splitInsideACharacter({ body, headers }: Notification): Sent {
  const at = body.indexOf(Buffer.from('ç')) + 1;
  return { headers, parts: [body.subarray(0, at), body.subarray(at)], isChunked: true };
}

/** Sends the notification after a parser and a serialiser have rewritten it. */
export const reserialised = ({ body, headers }: Notification): Sent => ({
  headers,
  parts: [Buffer.from(JSON.stringify(JSON.parse(body.toString())))],
});

/** Sends the first half of a notification. */
export const begun = ({ body, headers }: Notification, ending: 'stalls' | 'hangs up'): Sent => ({
  headers,
  parts: [body.subarray(0, body.length / 2)],
  declaredLength: body.length,
  ending,
});

/** Sends a delivery's headers with the given Content-Length. */
export const announced = (declaredLength: number): Sent => ({
  headers: notification().headers,
  parts: [],
  declaredLength,
  ending: 'stalls',
});

/** Creates a chunked delivery that never ends. */
export const endless = (length: number): Sent => {
  const { body, headers } = notification({ length });
  return { headers, parts: [body], isChunked: true, ending: 'stalls' };
};
