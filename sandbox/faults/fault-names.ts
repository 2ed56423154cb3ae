// The names of faults are separate from their readers, because the page also uses them.

/** The request faults that have a name. */
export const namedFaults = [
  'reset',
  'hang',
  'truncate',
  'garbage',
  'empty',
  'invalid-json',
  'acquirer-unknown',
] as const;

/** The delivery faults. */
export const deliveryFaults = ['drop', 'delay', 'duplicate', 'reorder', 'corrupt', 'old-secret'] as const;
