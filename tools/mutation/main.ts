import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Changes the SQL of the stores, one condition or comparison at a time, and runs the stores' tests with each change.
 * Stryker changes no SQL, because it is a string. Prints the changes that no test notices,
 * which survivors.md lists, and fails if they are more than 5 %. `npx tsx tools/mutation/main.ts` takes several minutes.
 */
const targets = [
  {
    file: 'src/stores/payments-sql.ts',
    tests: [
      'test/stores/payments/stores.test.ts',
      'test/stores/payments/merchants.test.ts',
      'test/durable/withdrawals.test.ts',
    ],
  },
  {
    file: 'src/stores/deliveries-sql.ts',
    tests: [
      'test/stores/dedupe/sqlite.test.ts',
      'test/stores/dedupe/d1.test.ts',
      'test/stores/dedupe/edge.test.ts',
    ],
  },
];

/** Each change of an operator: a pattern, and its replacement. */
const operators: readonly (readonly [RegExp, string])[] = [
  [/ <= /g, ' > '],
  [/ > /g, ' <= '],
  [/ < /g, ' >= '],
  [/ <> /g, ' = '],
  [/ OR /g, ' AND '],
  [/IS NOT NULL/g, 'IS NULL'],
  [/IS NULL/g, 'IS NOT NULL'],
  [/NOT IN/g, 'IN'],
  [/NOT EXISTS/g, 'EXISTS'],
  [/(revision|attempts) \+ 1/g, '$1'],
  [/ DESC/g, ''],
  // A condition, without its parentheses.
  [/\s+AND (?:[^()`\n]|\([^()`\n]*\))+?(?=\s+(?:AND|ORDER|GROUP)|\n|`|\))/g, ''],
];

interface Change {
  readonly text: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Lists the changes of the SQL in a source, from its first exported function on. */
function listChanges(source: string): Change[] {
  const from = source.indexOf('export function');
  return operators.flatMap(([pattern, replacement]) =>
    Array.from(source.matchAll(pattern))
      .filter(({ index }) => index > from)
      .map((match) => {
        const after = replacement.replace('$1', match[1] ?? '');
        const text = source.slice(0, match.index) + after + source.slice(match.index + match[0].length);
        const line = source.slice(0, match.index).split('\n').length;
        return { text, line, before: match[0].trim(), after: after.trim() };
      }),
  );
}

let survivors = 0;
let total = 0;
for (const { file, tests } of targets) {
  const source = readFileSync(file, 'utf8');
  try {
    for (const { text, line, before, after } of listChanges(source)) {
      writeFileSync(file, text);
      const { status } = spawnSync('npx', ['vitest', 'run', '--bail', '1', ...tests]);
      total++;
      if (status !== 0) continue;
      survivors++;
      process.stdout.write(`${file}:${line}: ${before} → ${after === '' ? 'nothing' : after}\n`);
    }
  } finally {
    writeFileSync(file, source);
  }
}
process.stdout.write(`${total - survivors} of ${total} changes are noticed.\n`);
if (survivors > total / 20) process.exitCode = 1;
