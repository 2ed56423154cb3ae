import { isValidCnpj, isValidCpf } from '../../src/contract/brazil.js';

/** Counts instead of using random values, so that a run can be repeated. */
export class Numbers {
  #last: number;

  /** @param last the number before the first number. Default 0 */
  constructor(last = 0) {
    this.#last = last;
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** A UUID v4. */
  uuid(): string {
    return `5a3b1e00-0000-4000-8000-${String(this.next()).padStart(12, '0')}`;
  }

  cpf(): string {
    return withCheckDigits(String(100_000_000 + this.next()), isValidCpf);
  }

  cnpj(): string {
    return withCheckDigits(`${10_000_000 + this.next()}0001`, isValidCnpj);
  }
}

function withCheckDigits(digits: string, isValid: (document: string) => boolean): string {
  for (let check = 0; check < 100; check++) {
    const document = digits + String(check).padStart(2, '0');
    if (isValid(document)) return document;
  }
  throw new Error(`${digits} has no check digits.`);
}
