import { expect, test } from 'vitest';
import { problemsIn } from '../../tools/compatibility/samples.js';

test('the error about a code sample that no longer compiles names the sample and the reason', () => {
  const problems = problemsIn(
    {
      'docs/right.md, sample 1': `import { postgresDedupeSql } from 'payment-platform/webhooks';\nexport const sql = postgresDedupeSql('deliveries');\n`,
      'docs/removed.md, sample 1': `import { verifyEvent } from 'payment-platform/webhooks';\nverifyEvent();\n`,
      'docs/narrowed.md, sample 2': `import { postgresDedupeSql } from 'payment-platform/webhooks';\npostgresDedupeSql(7);\n`,
    },
    'src',
  );
  expect(problems).toEqual([
    `docs/removed.md, sample 1: Module '"payment-platform/webhooks"' has no exported member 'verifyEvent'.`,
    `docs/narrowed.md, sample 2: Argument of type 'number' is not assignable to parameter of type 'string'.`,
  ]);
});
