/** The format of an idempotency key that the platform requires (API document, Authentication, 2). */
export const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the `hostname` of a URL is this machine: plain http is allowed only there. */
export const isLoopback = ({ hostname }: URL) => loopback.test(hostname);

const missingValuePattern = /(?<![0-9A-Za-z])(?:undefined|null|NaN|Infinity)(?![0-9A-Za-z])|\[object \w+\]/;

/**
 * The text that JavaScript writes for a missing value, such as `undefined` in `order-undefined`, which
 * would be the same for every order. Undefined if the text contains none.
 */
export const missingValue = (text: string): string | undefined => missingValuePattern.exec(text)?.[0];

/** A UUID, in any version. */
export const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
