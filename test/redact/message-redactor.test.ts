import { describe, expect, test } from 'vitest';
import { MessageRedactor } from '../../src/redact/message-redactor.js';
import { cpuSeconds } from '../support/cpu-seconds.js';
import { echoes, platformMessages, sentOrder, sentSecret } from '../support/platform-messages.js';

const redactor = new MessageRedactor({ secrets: [sentSecret], named: sentOrder });

describe('a platform’s message in an error', () => {
  test.each(platformMessages)('is shown unchanged: %s', (message) => {
    expect(redactor.show(message)).toBe(message);
  });

  test('is shown unchanged after a registration', () => {
    const bankAccount = { bankAgency: '0123', bankAccount: '0098765', bankAccountDv: '4' };
    const registration = { birthDate: '1990-05-17', addressNumber: '15', bankAccount };
    const registered = new MessageRedactor({ named: registration });
    const others = [
      'R$ 1,23 e R$ 987,66 em 30/11/2026, 9876',
      'id 1098765, req_98765a, 2026-05-17T15:04:00Z',
    ];
    for (const message of [...platformMessages, ...others]) expect(registered.show(message)).toBe(message);
  });

  test.each(echoes)('does not show %s', (_, message, hidden) => {
    const shown = redactor.show(message);
    expect(shown).toContain('[redacted]');
    for (const part of hidden) expect(shown.toLowerCase()).not.toContain(part.toLowerCase());
  });

  test('shows the words around a hidden value', () => {
    expect(redactor.show('O cliente Mariana Figueiredo já existe (ana.fig@loja.example).')).toBe(
      'O cliente [redacted] já existe ([redacted]).',
    );
    expect(redactor.show(`Cartão ${sentOrder.card.number} expirado em 12/2031`)).toBe(
      'Cartão [redacted] expirado em [redacted]',
    );
  });

  test('is cut after 500 characters, and shows no part of a secret at the cut', () => {
    expect(redactor.show('a '.repeat(5_000))).toBe(`${'a '.repeat(250)}…`);
    expect(redactor.show(`${'y '.repeat(245)}${sentSecret}`)).not.toContain(sentSecret.slice(0, 6));
  });

  test('contains no control characters and no direction marks', () => {
    expect(redactor.show('a\u001b[2Jb\u202ec\nd')).toBe('a\ufffd[2Jb\ufffdc d');
  });
});

test('the redactor hides a short name only as a whole word, and not inside a longer word', () => {
  const ana = new MessageRedactor({ named: { customer: { name: 'Ana Lima' } } });
  expect(ana.show('A banana e a limanda')).toBe('A banana e a limanda');
  expect(ana.show('o nome ANA LIMA é inválido')).toBe('o nome [redacted] é inválido');
});

test('the redactor hides a card’s expiry date, but not a lone month, year or number of instalments', () => {
  const card = new MessageRedactor({
    named: { card: { expirationMonth: 12, expirationYear: 2031, installments: 12 } },
  });
  expect(card.show('maximum is 12 for this card brand in 2031')).toBe(
    'maximum is 12 for this card brand in 2031',
  );
  expect(card.show('expired: 12/31, 2031-12, 12/2031')).toBe('expired: [redacted], [redacted], [redacted]');
});

describe('a platform’s request id', () => {
  test.each([
    '0f'.repeat(16),
    'c2f7a1b4-6f0c-4a8e-9f0e-1c2d3e4f5a6b',
    'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '42',
  ])('is shown: %s', (id) => expect(redactor.isSafeId(id)).toBe(true));
  test.each([sentSecret, sentOrder.card.number, '4539578763621486', 'a\u0085b', 'x'.repeat(501)])(
    'is not shown: %s',
    (id) => expect(redactor.isSafeId(id)).toBe(false),
  );
});

describe('the time that the redactor’s search takes (row 59)', () => {
  test('stays short for a message of a million characters, and for 40,000 values in the request', async () => {
    const sent = Array.from({ length: 40_000 }, (_, index) => ({ name: `Pessoa ${index * 7919} Sobrenome` }));
    const cost = await cpuSeconds(() => {
      for (const piece of [
        'a',
        ' ',
        'x ',
        '4',
        '4 ',
        '-',
        'é',
        '{',
        'a.',
        'a@',
        '%41',
        '&#',
        '+5',
        'eyJ',
        'token=',
      ])
        expect(redactor.show(piece.repeat(1_000_000 / piece.length)).length).toBeLessThan(520);
      expect(new MessageRedactor({ named: sent }).show('the payment failed')).toBe('[redacted]');
    });
    expect(cost).toBeLessThan(5);
  });

  test('stays short for a request that has almost too many characters to be searched', async () => {
    const sent = Array.from({ length: 1_200 }, (_, index) => ({ name: `Sobrenome${index}` }));
    const cost = await cpuSeconds(() => {
      const many = new MessageRedactor({ secrets: ['s'.repeat(2_000)], named: sent });
      expect(many.show('um pagamento '.repeat(200))).toContain('um pagamento');
    });
    expect(cost).toBeLessThan(2);
  });
});
