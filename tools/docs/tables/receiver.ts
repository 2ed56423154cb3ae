import { statusRanks } from '../../../src/contract/events.js';
import type { WebhookVerificationReason } from '../../../src/errors/webhook.js';
import { outcomeOf, outcomeStatuses, type ReceiveOutcome } from '../../../src/webhooks/outcome.js';
import { code } from '../markdown.js';
import type { Language, Words } from '../words.js';

const outcomes: Readonly<Record<ReceiveOutcome, Words<string>>> = {
  handled: { en: 'the handler finished', pt: 'o handler terminou' },
  enqueued: { en: '`enqueue` accepted the event', pt: '`enqueue` aceitou o evento' },
  duplicate: {
    en: 'the notification was already handled, or has another body',
    pt: 'a notificação já foi tratada, ou chega com outro corpo',
  },
  unhandled: { en: '`on` has no handler for the event', pt: '`on` não tem um handler para o evento' },
  ignored: {
    en: 'the event is `transaction.status.updated`, and a specific event also arrives',
    pt: 'o evento é `transaction.status.updated`, e o evento específico chega à parte',
  },
  outdated: {
    en: 'the payment already has a later status (`order`)',
    pt: 'o pagamento já tem um status posterior (`order`)',
  },
  rejected: {
    en: "the delivery isn't authentic, isn't recent, or isn't an event",
    pt: 'a entrega não é autêntica, não é recente ou não contém evento',
  },
  incomplete: { en: 'the body is incomplete', pt: 'o corpo está incompleto' },
  'too-large': { en: 'the body is longer than `maxBody`', pt: 'o corpo é maior que `maxBody`' },
  failed: {
    en: "the handler threw, its transaction didn't commit, or the setup is wrong",
    pt: 'o handler ou o commit falhou, ou a configuração está errada',
  },
  busy: {
    en: 'another process or request is handling the notification',
    pt: 'outro processo ou outra requisição está tratando a notificação',
  },
  overtaken: {
    en: 'another process took over before the handler finished',
    pt: 'outro processo assumiu a notificação antes do fim do handler',
  },
  'timed-out': {
    en: 'the handler exceeded `handlerTimeout`, or never started',
    pt: 'o handler passou de `handlerTimeout`, ou não começou a tempo',
  },
  unavailable: {
    en: 'the store or `secret` failed, or too many bodies arrived at once',
    pt: 'o armazenamento ou `secret` falhou, ou chegaram corpos demais',
  },
};

const outcomeTitles = { en: ['outcome', 'status', 'when'], pt: ['Resultado', 'Status', 'Quando'] };

/** Lists the outcomes with a 2xx status, or those whose delivery the platform sends again. */
const outcomeTable =
  (isSentAgain: boolean) =>
  (language: Language): string[][] => [
    outcomeTitles[language],
    ...Object.entries(outcomeStatuses)
      .filter(([, status]) => status >= 300 === isSentAgain)
      .map(([outcome, status]) => [
        code(outcome),
        String(status),
        outcomes[outcome as ReceiveOutcome][language],
      ]),
  ];

interface Reason {
  readonly cause: Words<string>;
  readonly remedy: Words<string>;
}

const removedHeader: Reason = {
  cause: {
    en: 'the endpoint has no secret, or a proxy removes headers',
    pt: 'o endpoint não tem segredo, ou um proxy remove cabeçalhos',
  },
  remedy: {
    en: 'set `hmac_secret`, and make the proxy keep the headers',
    pt: 'defina `hmac_secret` e configure o proxy para mantê-los',
  },
};
const otherFormat: Reason = {
  cause: { en: 'the platform uses a different format', pt: 'a plataforma usa outro formato' },
  remedy: {
    en: 'check the headers, and see [Verify signatures](webhook-signatures.md)',
    pt: 'examine os cabeçalhos e veja [Verifique assinaturas](webhook-signatures.md)',
  },
};
const otherTime: Reason = {
  cause: {
    en: 'a clock is wrong, or the delivery is a replay',
    pt: 'um relógio está errado, ou a entrega é um replay',
  },
  remedy: { en: 'turn on NTP on your servers', pt: 'ative o NTP' },
};
const noEvent: Reason = {
  cause: { en: "the body isn't JSON, or has no `event`", pt: 'o corpo não é JSON ou não tem `event`' },
  remedy: { en: 'report the problem to the platform', pt: 'avise a plataforma' },
};
const onTheWay: Words<string> = { en: 'check the proxy', pt: 'confira o proxy' };

/** Reasons with the same explanation share a row. */
const reasons: Readonly<Record<WebhookVerificationReason, Reason>> = {
  'signature-mismatch': {
    cause: {
      en: 'the secret is different, or the body was changed',
      pt: 'o receptor usa outro segredo, ou o corpo foi alterado',
    },
    remedy: {
      en: 'compare the secrets, and pass the raw body',
      pt: 'compare os segredos e passe o corpo bruto',
    },
  },
  'body-already-parsed': {
    cause: {
      en: 'a framework parsed the body first',
      pt: 'um framework leu o corpo antes do receptor',
    },
    remedy: {
      en: 'see [Webhook servers](webhook-servers.md)',
      pt: 'veja [Servidores de webhook](webhook-servers.md)',
    },
  },
  'missing-timestamp': removedHeader,
  'missing-signature': removedHeader,
  'malformed-timestamp': otherFormat,
  'malformed-signature': otherFormat,
  'timestamp-too-old': otherTime,
  'timestamp-in-future': otherTime,
  'body-too-large': {
    cause: { en: 'the body exceeded `maxBody`', pt: 'o corpo é maior que `maxBody`' },
    remedy: onTheWay,
  },
  'body-incomplete': {
    cause: { en: 'the connection broke or was too slow', pt: 'a conexão caiu ou foi lenta demais' },
    remedy: onTheWay,
  },
  'malformed-payload': noEvent,
  'missing-event': noEvent,
};

const reasonTitles = {
  en: ['`reason`', 'Response', 'Cause', 'What to do'],
  pt: ['`reason`', 'Resposta', 'Causa', 'O que fazer'],
};

function reasonTable(language: Language): string[][] {
  const names = Object.keys(reasons) as WebhookVerificationReason[];
  const rows = [...new Set(Object.values(reasons))].map((reason) => {
    const same = names.filter((name) => reasons[name] === reason);
    const statuses = new Set(same.map((name) => outcomeStatuses[outcomeOf(name)]));
    return [
      same.map(code).join(', '),
      [...statuses].join(', '),
      reason.cause[language],
      reason.remedy[language],
    ];
  });
  return [reasonTitles[language], ...rows];
}

const orderTitles = {
  en: ['after', 'these are older'],
  pt: ['Depois de', 'São mais antigos'],
};

function orderTable(language: Language): string[][] {
  const ranks = Object.entries(statusRanks);
  const list = (isListed: (rank: number) => boolean) =>
    ranks
      .filter(([, rank]) => isListed(rank))
      .map(([status]) => code(status))
      .join(', ');
  const none = { en: 'none', pt: 'nenhum' }[language];
  const rows = [...new Set(Object.values(statusRanks))].map((own) => [
    list((rank) => rank === own),
    list((rank) => rank < own) || none,
  ]);
  return [orderTitles[language], ...rows];
}

export const receiverTables = {
  'receiver.accepted': outcomeTable(false),
  'receiver.sent-again': outcomeTable(true),
  'receiver.reasons': reasonTable,
  'receiver.order': orderTable,
};
