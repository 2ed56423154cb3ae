/**
 * What the schemas use of zod. Named here, so that the sandbox's bundle keeps this much of it: from the
 * namespace of the package, most bundlers keep everything. The client runs what is generated from the schemas.
 */
export type { core, input, ZodMiniType } from 'zod/mini';
export {
  array,
  boolean,
  clone,
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
  unknown,
} from 'zod/mini';
