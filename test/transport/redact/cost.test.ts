import { describe, expect, test } from 'vitest';
import { ShownText } from '../../../src/transport/redact/shown-text.js';
import { cpuSeconds } from '../../support/cpu-seconds.js';

const shownIn = (body: object) => new ShownText({ shown: [], secrets: [], body });

describe('what it costs to find what may be shown (row 59)', () => {
  const valuesTo = (longest: number) => ({
    metadata: Object.fromEntries(
      Array.from({ length: longest }, (_, at) => [
        `k${at}`,
        Array.from({ length: at + 5 }, (_, index) => 'zotfshe'[(index * (at + 5)) % 7]).join(''),
      ]),
    ),
  });

  test('a body with values of every length makes no text expensive', async () => {
    const body = valuesTo(180);
    const cost = await cpuSeconds(() => {
      const only = shownIn(body);
      for (let count = 0; count < 10; count++)
        expect(only.text('the payment was refused '.repeat(100))).toMatch(/^the payment was refused/);
      for (let count = 0; count < 1_000; count++)
        expect(only.repeatsHidden('3f2504e0-4f89-41d3-9a0c-0305e82c3301')).toBe(false);
    });
    expect(cost).toBeLessThan(5);
  });

  test('a call that sent very much makes no text expensive', async () => {
    const body = valuesTo(2_000);
    const cost = await cpuSeconds(() => {
      const much = shownIn(body);
      for (let count = 0; count < 1_000; count++)
        expect(much.text('the payment was refused '.repeat(100))).toBe('[redacted]');
    });
    expect(cost).toBeLessThan(5);
  });

  test('a long text costs no more than reading its beginning', async () => {
    const cost = await cpuSeconds(() => {
      for (const piece of ['a', ' ', 'x ', '4', '-', 'é', '{', 'a.', 'payment '])
        expect(shownIn({}).text(piece.repeat(5_000_000 / piece.length)).length).toBeLessThan(3_000);
    });
    expect(cost).toBeLessThan(5);
  });
});
