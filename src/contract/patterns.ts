/** The form of an idempotency key where the platform requires one (API document, Authentication, 2). */
export const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL leads to this machine, as its `hostname` tells: plain http is allowed there only. */
export const isLoopback = ({ hostname }: URL) => loopback.test(hostname);

const missing = /(?<![0-9A-Za-z])(?:undefined|null|NaN|Infinity)(?![0-9A-Za-z])|\[object \w+\]/;

/**
 * What JavaScript has made of a value that was missing when a text was put together: `order-undefined`
 * is the same for every order. Undefined where there is none.
 */
export const missingValue = (text: string): string | undefined => missing.exec(text)?.[0];

/** A UUID, in any version. */
export const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
