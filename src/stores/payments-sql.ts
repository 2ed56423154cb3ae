import type { Dialect } from './dialect.js';
import { anyMerchant, erasableStates, listColumns, notExecutedStates } from './payment-columns.js';
import { merchantLength } from './payment-row.js';

export type PaymentStatements = ReturnType<typeof paymentStatements>;

/**
 * A statement that changes rows returns the changed rows. The first parameter is the merchant. `insertIf`
 * ends the INSERT's SELECT, with the conditions for inserting.
 */
export function paymentStatements(table: string, dialect: Dialect, insertIf: string) {
  const { now, duration, milliseconds } = dialect;
  const [text, integer, boolean] = [dialect.type('text'), dialect.type('integer'), dialect.type('boolean')];
  const later = (parameter: string) => `${now} + ${duration(parameter)}`;
  const columns = `${listColumns(milliseconds)}, ${milliseconds(now)} AS now`;
  const kindFrom = merchantLength + 1;
  // Rows that a version before 1.0.0 recorded are payments, and belong to every merchant.
  const isPayments = `length($1${text}) < ${kindFrom}`;
  // A payload can have megabytes, and no reader of a list needs it.
  const withoutPayload = columns.replace('payload AS payload', `NULL${text} AS payload`);
  const isOwn = `merchant IN ($1${text}, CASE WHEN ${isPayments} THEN '${anyMerchant}' ELSE $1${text} END)`;
  const isSameKind = `substr(merchant, ${kindFrom}) = substr($1${text}, ${kindFrom})`;
  // Keeps SQLite from reading all rows of a merchant, which the index of the key would return.
  const isOwnOnly = isOwn.replace('merchant', "merchant || ''");
  const isRevision = `merchant = $1${text} AND key = $2${text} AND revision = $3${integer}`;
  const claim = (due: string) => `WITH due AS (
  SELECT merchant AS due_merchant, key AS due_key FROM ${table}
  WHERE version <= $3${integer} AND ${due} ${dialect.lock}
)
UPDATE ${table} SET state = 'sending', in_doubt = in_doubt OR state NOT IN ${notExecutedStates},
  attempts = attempts + 1, revision = revision + 1, due_at = ${later('$2')}
FROM due WHERE key = due_key AND merchant = due_merchant
RETURNING ${columns}`;
  const erasable = (after: string) => `SELECT ${withoutPayload} FROM ${table}
WHERE ${isOwnOnly} AND due_at IS NULL AND payload IS NOT NULL AND state IN ${erasableStates}
  AND created_at <= ${now} - ${duration('$2')} ${after}
ORDER BY ${table}.created_at, key LIMIT $3${integer}`;
  return {
    insert: `INSERT INTO ${table} (merchant, key, version, state, revision, reference, digest, payload, attempts,
  in_doubt, created_at, due_at, deadline, refresh_until)
SELECT $1${text}, $2${text}, $3${integer}, $4${text}, 1, $5${text}, $6${text}, $7${text}, $8${integer},
  false, ${now}, ${later('$9')}, ${later('$10')}, ${later('$11')}
${insertIf}
  AND NOT EXISTS (SELECT 1 FROM ${table} WHERE merchant = '${anyMerchant}' AND key = $2${text} AND ${isPayments})
ON CONFLICT (merchant, key) DO NOTHING
RETURNING ${columns}`,
    find: `SELECT ${columns} FROM ${table} WHERE ${isOwn} AND key = $2${text} ORDER BY merchant DESC LIMIT 1`,
    // Consists of two queries, so that each of them uses an index.
    findByPayment: `SELECT ${columns} FROM ${table} WHERE ${isOwn} AND payment_id = $2${text}
UNION ALL
SELECT * FROM (
  SELECT ${columns} FROM ${table} WHERE ${isOwn} AND reference = $3${text}
    AND (payment_id IS NULL OR payment_id <> $2${text})
  ORDER BY payment_id IS NOT NULL, ${table}.created_at DESC LIMIT 10
) AS referenced
LIMIT 20`,
    claim: claim(`${isOwnOnly} AND due_at <= ${now} ORDER BY due_at LIMIT $4${integer}`),
    claimKey: claim(
      `${isOwn} AND key = $4${text} AND (due_at <= ${now} OR (due_at IS NOT NULL AND state <> 'sending'))`,
    ),
    update: `UPDATE ${table} SET state = $4${text}, payment = $5${text}, payment_id = $6${text}, error = $7${text},
  in_doubt = $8${boolean}, due_at = ${later('$9')}, deadline = coalesce(${later('$10')}, deadline), revision = revision + 1
WHERE ${isRevision}
RETURNING key`,
    erase: `UPDATE ${table} SET payload = NULL, payment = $4${text}, revision = revision + 1
WHERE ${isRevision} AND state IN ${erasableStates}
RETURNING key`,
    list: `SELECT ${withoutPayload} FROM ${table}
WHERE ${isOwn} AND ($2${text} IS NULL OR state = $2${text}) AND key > $4${text}
  AND created_at <= ${now} - ${duration('$3')}
ORDER BY key LIMIT $5${integer}`,
    listErasable: erasable(''),
    listErasableAfter: erasable(`AND (${table}.created_at, key) > (
    SELECT created_at, key FROM ${table} WHERE ${isOwn} AND key = $4${text} ORDER BY merchant DESC LIMIT 1)`),
    counts: `SELECT CASE WHEN ${isOwnOnly} THEN state ELSE 'foreign' END AS state, count(*) AS count,
  ${milliseconds(`(${now} - min(created_at))`)} AS oldest
FROM ${table} WHERE state <> 'settled' AND (${isOwnOnly} OR (due_at <= ${now} AND ${isSameKind})) GROUP BY 1`,
    adopt: `UPDATE ${table} AS former SET merchant = $1${text}, revision = revision + 1,
  in_doubt = in_doubt OR state = 'settled'
WHERE merchant = $2${text} AND NOT (state = 'sending' AND due_at > ${now})
  AND NOT EXISTS (SELECT 1 FROM ${table} AS present WHERE present.merchant = $1${text} AND present.key = former.key)
RETURNING key`,
  };
}
