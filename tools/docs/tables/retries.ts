import { createPaymentOperation } from '../../../src/contract/payments/operations.js';
import { paymentKind } from '../../../src/durable/payment-settler.js';
import { afterFailure } from '../../../src/durable/transitions.js';
import {
  classifyFailure,
  classifyStatus,
  type FailureClassification,
} from '../../../src/transport/response/classify-failure.js';
import { HttpClientError } from '../../../src/transport/send/http-client.js';
import type { Language, Words } from '../words.js';

const titles = {
  en: ['Failure', '`outcome`', 'Retried', 'Durable payment'],
  pt: ['Falha', '`outcome`', 'Nova tentativa', 'Pagamento durável'],
};

const retried: Readonly<Record<FailureClassification['retry'], Words<string>>> = {
  always: { en: 'yes', pt: 'sim' },
  'if-repeatable': { en: 'if repeatable', pt: 'se repetível' },
  never: { en: 'no', pt: 'não' },
};

/** The progress of a durable payment, by its state after the failure. */
const durable: Readonly<Record<string, Words<string>>> = {
  recorded: { en: 'sent again', pt: 'enviado de novo' },
  unknown: { en: 'sent again', pt: 'enviado de novo' },
  blocked: { en: '`blocked`, sent again', pt: '`blocked`, enviado de novo' },
  failed: { en: '`failed`', pt: '`failed`' },
};

/** The kinds of failures that the table lists, by the name of their row. */
const kinds = { 'no-connection': 'connect', rejected: 'proxy', broken: 'broken' } as const;

/** The failures without a response. Before a connection, nothing was sent. */
const failures: Readonly<Record<keyof typeof kinds, Words<string>>> = {
  'no-connection': { en: 'no connection', pt: 'sem conexão' },
  rejected: { en: 'rejected certificate or proxy', pt: 'certificado ou proxy rejeitado' },
  broken: { en: 'broken connection', pt: 'conexão interrompida' },
};

/** A row of a payment that was recorded a moment ago. */
const row = {
  state: 'sending',
  payment: null,
  paymentId: null,
  error: null,
  inDoubt: false,
  attempts: 1,
  deadline: 86_400_000,
  now: 0,
} as Parameters<typeof afterFailure>[0];

function cells(
  { outcome, retry, error: Failure }: FailureClassification,
  language: Language,
  status?: number,
) {
  const thrown = new Failure('', { outcome, status });
  const { state } = afterFailure(row, thrown, { retryDelay: 0, maxRetryDelay: 0 }, paymentKind);
  const pursued = durable[state]?.[language];
  if (pursued === undefined) throw new Error(`The page does not explain the state ${state}.`);
  return [`\`${outcome}\``, retried[retry][language], pursued];
}

const listed = [
  400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 413, 414, 415, 421, 422, 423, 424, 425, 426,
  428, 429, 431, 451, 500, 501, 502, 503, 504, 505,
];

/** Lists the consequences of each failure of a payment. Statuses with the same consequences share a row. */
export function retryTable(language: Language): string[][] {
  const rows = new Map<string, { readonly cells: string[]; readonly statuses: (number | string)[] }>();
  const add = (status: number, name: number | string = status) => {
    const found = cells(classifyStatus(status, createPaymentOperation), language, status);
    const same = rows.get(found.join()) ?? { cells: found, statuses: [] };
    same.statuses.push(name);
    rows.set(found.join(), same);
  };
  add(302, '3xx');
  for (const status of listed) add(status);
  const withoutResponse = Object.entries(kinds).map(([name, kind]) => {
    const failure = new HttpClientError(kind, '', kind === 'broken');
    return [
      failures[name as keyof typeof failures][language],
      ...cells(classifyFailure(failure, undefined, '', 0), language),
    ];
  });
  const byStatus = [...rows.values()].map(({ cells, statuses }) => [statuses.join(', '), ...cells]);
  return [titles[language], ...withoutResponse, ...byStatus];
}
