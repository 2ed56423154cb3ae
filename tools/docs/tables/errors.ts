import type { DurableErrorCode } from '../../../src/errors/base.js';
import { code } from '../markdown.js';
import type { Language, Words } from '../words.js';

const titles = { en: ['`code`', 'Meaning'], pt: ['`code`', 'Significado'] };

const durableCodes: Readonly<Record<DurableErrorCode, Words<string>>> = {
  payment_not_settled: {
    en: "the payment isn't settled, and may have failed",
    pt: 'pagamento não concluído, talvez por falha ou desistência',
  },
  payment_store_failed: {
    en: 'the store failed, or an open transaction holds the key',
    pt: 'o armazenamento falhou, ou uma transação aberta usa a chave',
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
