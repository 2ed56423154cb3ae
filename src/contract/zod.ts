/**
 * What the schemas use of zod. Named here, so that a bundle keeps this much of it: from the namespace of
 * the package, most bundlers keep everything.
 */
export type { core, input, ZodMiniType } from 'zod/mini';
export {
  array,
  boolean,
  compile,
  custom,
  enum,
  globalRegistry,
  guid,
  int,
  iso,
  length,
  literal,
  looseObject,
  maximum,
  maxLength,
  minimum,
  minLength,
  nullable,
  nullish,
  number,
  optional,
  refine,
  regex,
  strictObject,
  string,
} from 'zod/mini';
