import type { DurableErrorCode } from '../../../src/errors/base.js';
import { code } from '../markdown.js';
import type { Language, Words } from '../words.js';

const titles = { en: ['`code`', 'Meaning'], pt: ['`code`', 'Significado'] };

const durableCodes: Readonly<Record<DurableErrorCode, Words<string>>> = {
  payment_not_settled: {
    en: "the outcome isn't known, or the payment failed",
    pt: 'resultado desconhecido, falha ou desistência',
  },
  payment_store_failed: {
    en: 'the store failed, but the payment might have been recorded',
    pt: 'o armazenamento falhou; o pagamento pode ter sido gravado',
  },
  payment_not_found: {
    en: 'the store has no payment with this key',
    pt: 'nenhum pagamento gravado tem essa chave',
  },
  second_payment: {
    en: 'a response or event has a different payment, possibly a double charge',
    pt: 'a resposta ou um evento traz outro pagamento: pode haver cobrança dupla',
  },
};

export const errorTables = {
  'errors.durable': (language: Language) => [
    titles[language],
    ...Object.entries(durableCodes).map(([name, meaning]) => [code(name), meaning[language]]),
  ],
};
