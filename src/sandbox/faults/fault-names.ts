/** The faults of requests that need no more than a name. The page offers them. */
export const namedFaults = [
  'reset',
  'hang',
  'truncate',
  'garbage',
  'empty',
  'invalid-json',
  'acquirer-unknown',
] as const;
