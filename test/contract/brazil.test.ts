import fc from 'fast-check';
import { isValidCnpj, isValidCpf } from 'payment-platform';
import { describe, expect, test } from 'vitest';
import {
  normalizeCnpj,
  normalizeCpf,
  normalizePhone,
  normalizeTaxDocument,
} from '../../src/contract/brazil.js';

describe('the check digits of a CPF or a CNPJ', () => {
  test.each(['12345678909', '123.456.789-09', '529.982.247-25', '11144477735'])(
    'accept the CPF %s',
    (cpf) => {
      expect(isValidCpf(cpf)).toBe(true);
    },
  );

  test.each(['12345678900', '11111111111', '1234567890', '123456789090', '', 'abc', '123 456'])(
    'reject the CPF %j',
    (text) => {
      expect(isValidCpf(text)).toBe(false);
    },
  );

  test.each(['11222333000181', '11.222.333/0001-81', '12ABC34501DE35', '12.abc.345/01de-35'])(
    'accept the CNPJ %s',
    (cnpj) => {
      expect(isValidCnpj(cnpj)).toBe(true);
    },
  );

  test.each([
    '11222333000180',
    '12ABC34501DE36',
    '00000000000000',
    '12ABC34501DEAB',
    '1122233300018',
    'ç2ABC34501DE35',
  ])('reject the CNPJ %j', (text) => {
    expect(isValidCnpj(text)).toBe(false);
  });

  test('reject a value that is not a string', () => {
    for (const wrong of [undefined, null, 12345678909, {}]) {
      expect(isValidCpf(wrong as never)).toBe(false);
      expect(isValidCnpj(wrong as never)).toBe(false);
    }
  });

  /**
   * Computes the check digits independently of the source, as the remainder of a division with explicit
   * weights.
   */
  const digits = (base: string, first: number[], second: number[]) => {
    const value = (text: string, weights: number[]) => {
      const sum = weights.reduce((total, weight, at) => total + weight * (text.charCodeAt(at) - 48), 0);
      return sum % 11 < 2 ? 0 : 11 - (sum % 11);
    };
    const one = value(base, first);
    return `${base}${one}${value(`${base}${one}`, second)}`;
  };
  const cnpjWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');

  test('accept a random CNPJ only if its last digit is right', () => {
    fc.assert(
      fc.property(
        fc.array(character, { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (base, off) => {
          const cnpj = digits(base.join(''), cnpjWeights, [6, ...cnpjWeights]);
          fc.pre(!/^(.)\1*$/.test(cnpj));
          const last = (Number(cnpj.at(-1)) + off) % 10;
          return isValidCnpj(cnpj) && !isValidCnpj(cnpj.slice(0, -1) + last);
        },
      ),
      { seed: 20260101 },
    );
  });

  test('accept random CPFs that end with the computed digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (base) => {
        const cpf = digits(
          String(base).padStart(9, '0'),
          [10, 9, 8, 7, 6, 5, 4, 3, 2],
          [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
        );
        fc.pre(!/^(.)\1*$/.test(cpf));
        return isValidCpf(cpf);
      }),
      { seed: 20260101 },
    );
  });
});

describe('normalising Brazilian documents and phones', () => {
  test.each([
    [normalizeCpf, '123.456.789-09', '12345678909'],
    [normalizeCpf, '123', '123'],
    [normalizeCnpj, '12.abc.345/01de-35', '12ABC34501DE35'],
    [normalizeCnpj, 'not a cnpj', 'not a cnpj'],
    [normalizeTaxDocument, '123.456.789-09', '12345678909'],
    [normalizeTaxDocument, '11.222.333/0001-81', '11222333000181'],
    [normalizePhone, '+55 (11) 91234-5678', '+5511912345678'],
    [normalizePhone, '(11) 91234-5678', '(11) 91234-5678'],
    [normalizePhone, '0055 11 91234-5678', '0055 11 91234-5678'],
  ])('returns $2 for $1', (normal, input, form) => {
    expect(normal(input)).toBe(form);
  });
});
