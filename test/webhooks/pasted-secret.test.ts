import { createReceiver, sign, verify, verifyAsync } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';

const secret = 'whsec_0123456789abcdef';
const body = '{"event":"transaction.paid"}';
const delivery = { body, headers: sign({ body, secret }) };
const rule = 'begins or ends with white space, as pasted from a terminal. Remove it';

describe.each([
  ['a line break at its end', `${secret}\n`],
  ['a Windows line break at its end', `${secret}\r\n`],
  ['a space at its end', `${secret} `],
  ['a space before it', ` ${secret}`],
  ['a tab before it', `\t${secret}`],
  ['a no-break space at its end', `${secret}\u00a0`],
  ['a byte order mark before it', `\ufeff${secret}`],
])('a webhook secret with %s', (_, pasted) => {
  test('is rejected by createReceiver, alone and in a list', () => {
    for (const input of [pasted, [secret, pasted]])
      expect(() => createReceiver({ secret: input })).toThrow(`secret ${rule}`);
  });

  test('is rejected by verify and verifyAsync, as a value and as an option', async () => {
    for (const input of [pasted, [pasted], { secret: pasted }]) {
      expect(() => verify(delivery, input as never)).toThrow(rule);
      await expect(verifyAsync(delivery, input as never)).rejects.toThrow(rule);
    }
  });

  test('is reported as an error if a function returns it, and the delivery gets a 503 instead of a 400', async () => {
    const errors: unknown[] = [];
    const receiver = createReceiver({ secret: () => pasted, onError: (error) => errors.push(error) });
    expect(await receiver.receive(delivery)).toMatchObject({ outcome: 'unavailable', status: 503 });
    expect(String(errors[0])).toContain(rule);
  });
});

test.each(['\u200b', '\u00ad', '\u2060', '\u00a0', '\n', '\0'])(
  'a webhook secret with the invisible character %j is rejected, and the error names that character',
  (character) => {
    const pasted = `whsec_0123${character}456789abcdef`;
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const named = `contains the invisible character U+${code}. Remove it`;
    for (const input of [pasted, [secret, pasted]])
      expect(() => createReceiver({ secret: input })).toThrow(named);
    expect(() => verify(delivery, pasted)).toThrow(named);
  },
);

test.each([`"${secret}"`, `'${secret}'`, `“${secret}”`])(
  'a webhook secret in quotation marks (%s) is rejected, because no signature would match',
  (quoted) => {
    const rule = 'is in quotation marks. Remove them';
    expect(() => createReceiver({ secret: quoted })).toThrow(rule);
    expect(() => verify(delivery, quoted)).toThrow(rule);
  },
);

test.each([`${secret}"`, `"${secret}`, `"${secret}'`, `it's ${secret}`])(
  'a webhook secret with unpaired quotation marks is accepted: %s',
  (marked) => {
    expect(verify({ body, headers: sign({ body, secret: marked }) }, marked)).toMatchObject({
      event: 'transaction.paid',
    });
  },
);

test('a webhook secret with a space in it is accepted, because the API docs allow every character', () => {
  const spaced = 'sixteen or more characters';
  expect(verify({ body, headers: sign({ body, secret: spaced }) }, spaced)).toMatchObject({
    event: 'transaction.paid',
  });
});
