import { type DurableOptions, durableDefaults } from '../../../src/durable/options.js';
import { code } from '../markdown.js';
import { type Language, numberFormats, type Words } from '../words.js';

interface Option {
  /** The default: milliseconds, or words. */
  readonly value: number | Words<string>;
  readonly effect: Words<string>;
}

const none: Words<string> = { en: 'none', pt: 'nenhum' };
const { timeout, giveUpAfter, retryDelay, maxRetryDelay } = durableDefaults;

const pursuit: Option = {
  value: giveUpAfter,
  effect: {
    en: 'how long the SDK sends a payment, and asks for its status',
    pt: 'por quanto tempo o SDK envia o pagamento e consulta o status',
  },
};
const once: Words<string> = {
  en: 'called at most once per state change',
  pt: 'chamado no máximo uma vez por mudança de estado',
};
const orOnError: Option = { value: { en: '`onError`', pt: '`onError`' }, effect: once };

/** Options with the same explanation share a row. */
const options: Readonly<Record<keyof DurableOptions<unknown>, Option>> = {
  store: {
    value: { en: '', pt: '' },
    effect: {
      en: 'stores payments in PostgreSQL, SQLite, memory or [your own store](#your-own-store)',
      pt: 'onde o SDK grava: PostgreSQL, SQLite, memória ou [outro armazenamento](#crie-um-armazenamento-proprio)',
    },
  },
  timeout: {
    value: timeout,
    effect: { en: 'how long one attempt can take', pt: 'o tempo máximo de uma tentativa' },
  },
  lease: {
    value: { en: 'twice `timeout`', pt: 'o dobro de `timeout`' },
    effect: {
      en: 'how long a dead process blocks its payments',
      pt: 'por quanto tempo os pagamentos de um processo que caiu ficam bloqueados',
    },
  },
  giveUpAfter: pursuit,
  refreshFor: pursuit,
  retryDelay: {
    value: retryDelay,
    effect: {
      en: 'the first pause between attempts; it doubles each time',
      pt: 'a pausa antes da segunda tentativa; dobra a cada vez',
    },
  },
  maxRetryDelay: {
    value: maxRetryDelay,
    effect: {
      en: 'the longest pause, unless the platform requires more',
      pt: 'a pausa máxima, se a plataforma não exigir mais',
    },
  },
  encryptionKeys: {
    value: { en: 'none', pt: 'nenhuma' },
    effect: {
      en: 'one 32-byte key, or a list whose first key encrypts',
      pt: 'uma chave de 32 bytes, ou várias: a primeira criptografa',
    },
  },
  erasePayloadsAfter: {
    value: { en: 'never', pt: 'nunca' },
    effect: {
      en: 'when `run` erases the payloads of settled and failed payments',
      pt: 'quando `run` apaga os dados de pagamentos concluídos ou que falharam',
    },
  },
  telemetry: {
    value: none,
    effect: {
      en: '`openTelemetry(api)`, for a span and metrics',
      pt: '`openTelemetry(api)`, que registra um span e métricas',
    },
  },
  onSettled: { value: none, effect: once },
  onFailed: orOnError,
  onGivenUp: orOnError,
  onBlocked: orOnError,
  onError: {
    value: { en: '`console.error`', pt: '`console.error`' },
    effect: {
      en: 'called when the store or a hook fails, for example',
      pt: 'chamado quando o armazenamento ou um hook falha, por exemplo',
    },
  },
};

const titles = { en: ['Option', 'Default', 'Effect'], pt: ['Opção', 'Padrão', 'Efeito'] };

function optionTable(language: Language): string[][] {
  const names = Object.keys(options) as (keyof typeof options)[];
  const rows = [...new Set(Object.values(options))].map((option) => [
    names
      .filter((name) => options[name] === option)
      .map(code)
      .join(', '),
    typeof option.value === 'number' ? numberFormats[language].format(option.value) : option.value[language],
    option.effect[language],
  ]);
  return [titles[language], ...rows];
}

export const durableTables = { 'durable.options': optionTable };
