import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../src/contract/index.js';
import { findSchemas } from '../../src/contract/schemas.js';

const committed = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

test.each(operations.map(({ id, method, path }) => [id, `\`${method} ${path}\``, findSchemas(id).summary]))(
  'the operations page has one row for %s',
  (_id, endpoint, summary) => {
    const rows = committed.split('\n').filter((line) => line.includes(`| ${endpoint} `));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(summary);
  },
);
