/** The encryption key of recorded withdrawals and registrations. */
export const requestKeys = new Uint8Array(32).fill(7);

/** The number of a key such as `withdrawal 7`, which its amount repeats. */
export const numberOf = (key: string): number => Number(/\d+$/.exec(key)?.[0] ?? 0);

/** The body of a key's withdrawal. The sandbox keeps the amount, so that a withdrawal shows its key. */
export const withdrawalOf = (key: string) => ({
  internalId: process.env.SELLER ?? '',
  amount: 1_000 + numberOf(key),
  reference: key,
});

/** The idempotency key of a number: a UUID v4. */
export const uuidOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
