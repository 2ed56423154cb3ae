import { isError } from './builtins.js';
import { isRecord } from './record.js';

/** The properties that contain the database's own error in Drizzle, MikroORM, Sequelize, TypeORM and Prisma. */
const innerErrors = ['cause', 'original', 'driverError', 'meta', 'driverAdapterError'] as const;

const maxDepth = 4;

/** Matches a SQLSTATE, but not `EPIPE` of the system and `P2010` of Prisma. */
const sqlState = /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/;

/**
 * Matches the beginning of a statement. Knex and MikroORM write the whole query before PostgreSQL's message. A violated
 * foreign key begins with `insert or update on table`.
 */
const statement = /^\s*(?:WITH|SELECT|INSERT(?! or update)|UPDATE(?! or delete)|DELETE)\b/i;

/** A message that ends with the query, or with a part of its values, is dropped. */
function withoutQuery(message: string): string {
  if (/^\s*Failed query:/i.test(message)) return '';
  if (!statement.test(message)) return message;
  const [, ...parts] = message.split(' - ');
  const last = parts.at(-1) ?? '';
  return last.includes("'") ? '' : last;
}

export interface DatabaseError {
  readonly code: string;
  /** The source file of PostgreSQL that raised the error, if the driver passes it on. */
  readonly file: string | undefined;
  readonly message: string;
}

/** A library's error can contain the whole query, with every value. */
export function findDatabaseError(error: unknown, depth = 0): DatabaseError | undefined {
  if (!isRecord(error) || depth > maxDepth) return undefined;
  for (const name of innerErrors) {
    const inner = findDatabaseError(error[name], depth + 1);
    if (inner !== undefined) return inner;
  }
  const { originalCode, code = originalCode, originalMessage, message = originalMessage } = error;
  const own = originalCode ?? code;
  if (typeof own !== 'string' || !sqlState.test(own)) return undefined;
  const file = typeof error.file === 'string' ? error.file : undefined;
  return { code: own, file, message: withoutQuery(String(originalMessage ?? message ?? '')) };
}

export function findInnermostError(
  error: unknown,
  depth = 0,
): { readonly error: unknown; readonly message: string } {
  const inner = isRecord(error) && depth < maxDepth && innerErrors.map((name) => error[name]).find(isError);
  if (inner) return findInnermostError(inner, depth + 1);
  return { error, message: withoutQuery(String(Object(error).message ?? '')) };
}
