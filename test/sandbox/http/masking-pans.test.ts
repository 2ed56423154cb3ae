import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskSecrets } from '../../../src/sandbox/http/mask-secrets.js';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { call, form, lastRequest, pay, pix, sandboxForTest } from '../support.js';

/** Digits that pass the Luhn check, as a card number does. */
const pan = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 })
  .map((digits) => {
    const sum = [...digits]
      .reverse()
      .reduce(
        (total, digit, index) =>
          total + (index % 2 === 0 ? ((digit * 2) % 10) + Math.floor(digit / 5) : digit),
        0,
      );
    return `${digits.join('')}${(10 - (sum % 10)) % 10}`;
  })
  .filter((number) => new Set(number).size > 4);

const utf8 = (char: string, layers = '') =>
  Array.from(Buffer.from(char), (byte) => `%${layers}${byte.toString(16).padStart(2, '0')}`).join('');

const codeOf = (char: string) => char.codePointAt(0) ?? 0;

/** Ways to write one digit. */
const digitForms: Readonly<Record<string, (digit: string) => string>> = {
  plain: (digit) => digit,
  'full-width': (digit) => String.fromCodePoint(0xff10 + Number(digit)),
  'Arabic-Indic': (digit) => String.fromCodePoint(0x660 + Number(digit)),
  Devanagari: (digit) => String.fromCodePoint(0x966 + Number(digit)),
  mathematical: (digit) => String.fromCodePoint(0x1d7ce + Number(digit)),
  'double-struck': (digit) => String.fromCodePoint(0x1d7d8 + Number(digit)),
  percent: (digit) => utf8(digit),
  'percent in capitals': (digit) => utf8(digit).toUpperCase(),
  'percent twice': (digit) => utf8(digit, '25'),
  'percent of full-width': (digit) => utf8(String.fromCodePoint(0xff10 + Number(digit))),
  'decimal entity': (digit) => `&#${codeOf(digit)};`,
  'padded entity': (digit) => `&#0${codeOf(digit)};`,
  'hexadecimal entity': (digit) => `&#x${codeOf(digit).toString(16)};`,
  'entity twice': (digit) => `&amp;#${codeOf(digit)};`,
  'entity in percent': (digit) => encodeURIComponent(`&#${codeOf(digit)};`),
  'JSON escape': (digit) => `\\u00${codeOf(digit).toString(16)}`,
  'JSON escape twice': (digit) => `\\\\u00${codeOf(digit).toString(16)}`,
};

const spaces = [
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\u00a0',
  '\u2003',
  '\u2009',
  '\u202f',
  '\u3000',
  '\u200b',
  '\ufeff',
  '\u00ad',
];
const dashes = ['-', '\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\ufe63', '\uff0d', ' - ', '--'];
const marks = ['.', '_', '/', '\\', ' / ', '|', '*', '+', '\u00b7', '\u2022'];
const encodedGaps = [
  '%20',
  '%2520',
  '%C2%A0',
  '%E2%80%89',
  '%2D',
  '&nbsp;',
  '&#160;',
  '&#x2d;',
  '&ndash;',
  '\\n',
  '\\t',
  '\\u00a0',
  '\\/',
];
const gap = fc.constantFrom(...spaces, ...dashes, ...marks, ...encodedGaps);

/** Cuts digits into groups: as on cards, or at random. */
const grouped = (digits: string) =>
  fc.oneof(
    fc.constant([digits]),
    fc.constant(digits.match(/.{1,4}/g) ?? []),
    fc.constant([...digits]),
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 19, maxLength: 19 }).map((lengths) => {
      const groups: string[] = [];
      for (let at = 0, index = 0; at < digits.length; index++) {
        const length = lengths[index] ?? 1;
        groups.push(digits.slice(at, at + length));
        at += length;
      }
      return groups;
    }),
  );

const written = fc
  .record({ digits: pan, form: fc.constantFrom(...Object.keys(digitForms)), separator: gap })
  .chain(({ digits, form, separator }) =>
    grouped(digits).map((groups) => {
      const write = digitForms[form] ?? ((digit) => digit);
      return { digits, text: groups.map((group) => [...group].map(write).join('')).join(separator) };
    }),
  );

/** The digits of a text by a slower way: decoded until nothing changes. */
function digitsShown(text: string): string {
  let decoded = text;
  for (let before = ''; before !== decoded; ) {
    before = decoded;
    decoded = decoded
      .replace(/(?:%[0-9a-f]{2})+/gi, (row) => Buffer.from(row.replaceAll('%', ''), 'hex').toString())
      .replace(/&amp;/g, '&')
      .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
      .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .normalize('NFKC')
      .replace(/[\u0660-\u0669]/g, (digit) => String(codeOf(digit) - 0x660))
      .replace(/[\u0966-\u096f]/g, (digit) => String(codeOf(digit) - 0x966));
  }
  return decoded.replace(/\D/g, '');
}

/** The places of a text in a request, and what the journal keeps of it. */
const places: Readonly<Record<string, (sandbox: Sandbox, text: string) => Promise<string>>> = {
  'a field': async (sandbox, text) => {
    await pay(sandbox, { metadata: { deep: [{ note: text }] } });
    const { metadata } = lastRequest(sandbox).body as { metadata: { deep: [{ note: unknown }] } };
    return String(metadata.deep[0].note);
  },
  'the name of a field': async (sandbox, text) => {
    await pay(sandbox, { [text]: 'x' });
    return Object.keys(lastRequest(sandbox).body as object).join();
  },
  'JSON in a field': async (sandbox, text) => {
    await pay(sandbox, { note: JSON.stringify({ note: [text] }) });
    return (lastRequest(sandbox).body as { note: string }).note;
  },
  'JSON in which a name occurs twice': async (sandbox, text) => {
    await pay(sandbox, { note: `{"note":${JSON.stringify(text)},"note":"x"}` });
    return (lastRequest(sandbox).body as { note: string }).note;
  },
  'JSON that is cut': async (sandbox, text) => {
    await pay(sandbox, { note: `{"note":${JSON.stringify(text)},"` });
    return (lastRequest(sandbox).body as { note: string }).note;
  },
  'a form': async (sandbox, text) => {
    const body = new URLSearchParams({ note: text }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await call(sandbox, '/oauth/token', { method: 'POST', body, headers });
    return (lastRequest(sandbox).body as { note: string }).note;
  },
  'a query': async (sandbox, text) => {
    await call(sandbox, `/v1/webhooks?a=b&note=${encodeURIComponent(text)}`);
    return decodeURIComponent(lastRequest(sandbox).path.replace(/^.*note=/, ''));
  },
  'a path': async (sandbox, text) => {
    await call(sandbox, `/v1/cards/${encodeURIComponent(text)}`);
    return decodeURIComponent(lastRequest(sandbox).path.replace('/v1/cards/', ''));
  },
  'the name of a file': async (sandbox, text) => {
    const file = new File(['x'], encodeURIComponent(text));
    await call(sandbox, '/v1/submerchants', { body: form({ file }), key: 'x' });
    const body = lastRequest(sandbox).body as { file: { filename: string } };
    return decodeURIComponent(body.file.filename);
  },
};

describe('at most four digits of a PAN are kept, however it is written', () => {
  test.each(Object.entries(places))('in %s', async (_, keep) => {
    const sandbox = sandboxForTest();
    await fc.assert(
      fc.asyncProperty(written, async ({ text }) => {
        expect(digitsShown(await keep(sandbox, text)).length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 100 },
    );
  });

  test('in the idempotency key', async () => {
    const sandbox = sandboxForTest();
    await fc.assert(
      fc.asyncProperty(pan, fc.constantFrom('', ' ', '-', '_', '%20'), async (digits, separator) => {
        await pay(sandbox, pix(), digits.match(/.{1,4}/g)?.join(separator));
        expect(digitsShown(lastRequest(sandbox).idempotencyKey ?? '').length).toBeLessThanOrEqual(4);
      }),
    );
  });

  test('next to any other numbers', () => {
    const other = fc.stringMatching(/^\d{1,6}$/);
    const beside = fc.record({
      before: fc.array(other, { maxLength: 4 }),
      after: fc.array(other, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(pan, beside, gap, (digits, { before, after }, separator) => {
        const groups = digits.match(/.{1,4}/g) ?? [];
        const note = [...before, ...groups, ...after].join(separator);
        const kept = maskSecrets({ note }) as { note: string };
        // Never five digits of the card are left, neither in a row nor across a gap.
        const shown = kept.note.split('*').map(digitsShown);
        const numbers = [...before, ...after].join(' ');
        for (let at = 0; at + 8 <= digits.length; at++) {
          const window = digits.slice(at, at + 8);
          if (numbers.includes(window)) continue;
          for (const part of shown) expect(part).not.toContain(window);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('and the text around it is kept', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(written, word, word, ({ text }, before, after) => {
        const { note } = maskSecrets({ note: `${before} ${text} ${after}` }) as { note: string };
        expect(note).toMatch(new RegExp(`^${before} \\*+.{0,4} ${after}$`, 's'));
      }),
    );
  });
});
