import { expect, test } from 'vitest';
import { formatsFor } from '../../page/app/formats.js';

const days = (count: number) => `${count} d`;
const english = formatsFor('en', days);
const portuguese = formatsFor('pt-BR', days);

/** Replaces non-breaking spaces with plain spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('money is written as R$ 1.234,56 in both languages', () => {
  expect([english, portuguese].map(({ money }) => plain(money(123_456)))).toEqual([
    'R$ 1.234,56',
    'R$ 1.234,56',
  ]);
});

test.each([
  [0, '+0 ms', '+0 ms'],
  [120, '+120 ms', '+120 ms'],
  [1_204, '+1.204 s', '+1,204 s'],
  [90_000, '+1 min 30 s', '+1 min 30 s'],
])(
  '%i ms after the first step are shown as %s in English and %s in Portuguese',
  (ms, inEnglish, inPortuguese) => {
    expect([english.elapsed(ms), portuguese.elapsed(ms)]).toEqual([inEnglish, inPortuguese]);
  },
);

test.each([
  ['today', '2026-01-01T12:30:05', '12:30:05', '12:30:05'],
  ['this year', '2026-03-02T12:30:05', 'Mar 2, 12:30:05', '02/03, 12:30:05'],
  ['another year', '2027-03-02T12:30:05', 'Mar 2, 2027, 12:30:05', '02/03/2027, 12:30:05'],
])('times on the page omit today’s date and the current year: %s', (_, at, inEnglish, inPortuguese) => {
  const today = new Date('2026-01-01T00:00:00').toDateString();
  expect([english.time(at, today), portuguese.time(at, today)]).toEqual([inEnglish, inPortuguese]);
});
