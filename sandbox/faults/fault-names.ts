// The names of faults, without their readers: the page offers them as well.

/** The faults of requests that a name describes. */
export const namedFaults = [
  'reset',
  'hang',
  'truncate',
  'garbage',
  'empty',
  'invalid-json',
  'acquirer-unknown',
] as const;

/** The faults of deliveries. */
export const deliveryFaults = ['drop', 'delay', 'duplicate', 'reorder', 'corrupt', 'old-secret'] as const;
