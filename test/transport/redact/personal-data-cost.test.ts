import { describe, expect, test } from 'vitest';
import { PersonalData, personalTextsIn } from '../../../src/transport/redact/personal-data.js';
import { Scrubber } from '../../../src/transport/redact/scrubber.js';

/** A scrubber that knows what a body holds. */
const scrubberFor = (body: unknown) => new Scrubber([], [], new PersonalData(personalTextsIn(body)));

describe('the search for personal data (row 59)', () => {
  const scrubber = scrubberFor({ customer: { name: 'aaaa', email: 'ana@example.com' }, phone: '11111111' });
  const bombs: Record<string, string> = {
    'at signs': '@',
    mailboxes: 'a.b-c@',
    'mailboxes without an end': 'a',
    digits: '1',
    'digits with points': '123.456.',
    'plus signs': '+1 (',
    brackets: '(11) ',
    letters: 'aaaa ',
    'half a CNPJ': '12.ABC.345/',
    'characters with a longer lower case': 'İ',
  };
  test('as much personal data as is searched, and thousands of short texts: within a blink', () => {
    const known = Array.from({ length: 2_000 }, (_, index) => ({ email: `somebody${index}` }));
    const texts = Array.from({ length: 10_000 }, (_, index) => `somebody else ${index}`);
    const started = process.cpuUsage();
    scrubberFor(known).value(texts);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_500);
  });

  test.each(Object.entries(bombs))('%s: in proportion to the size', (_, bomb) => {
    const timeOf = (size: number) => {
      const text = bomb.repeat(size / bomb.length);
      const started = process.cpuUsage();
      for (let turn = 0; turn < 4; turn++) scrubber.text(text);
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1_000;
    };
    timeOf(8_000);
    const small = Math.min(timeOf(8_000), timeOf(8_000));
    const large = Math.min(timeOf(64_000), timeOf(64_000));
    // Eight times as long; a square would take 64 times.
    expect(large).toBeLessThan(Math.max(32 * small, 400));
  });
});
