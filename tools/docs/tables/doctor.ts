import type { CheckName } from '../../../sandbox/doctor/check.js';
import { limits } from '../../../src/contract/limits.js';
import { code } from '../markdown.js';
import type { Language, Words } from '../words.js';

const network: Words<string> = {
  en: 'Does each address respond? Who issued the certificate? When does it expire?',
  pt: 'Cada endereço responde? Quem emitiu o certificado, e quando ele vence?',
};
const credentials: Words<string> = {
  en: 'Which credentials does the platform accept? How long is a token valid?',
  pt: 'Quais credenciais a plataforma aceita? Por quanto tempo vale um token?',
};
const server: Words<string> = {
  en: 'Which server responds? Which HTTP version and charset does it use?',
  pt: 'Qual servidor responde, com qual versão do HTTP e qual charset?',
};
const pace: Words<string> = {
  en: 'Do responses announce rate limits? How long do ten reads take?',
  pt: 'Quais limites a plataforma informa? Quanto demoram dez leituras?',
};
/** The checks that the page lists. It describes the deliveries in words. */
type Question = Exclude<CheckName, `webhook.${string}`>;

/** The question that each check answers. Checks with the same question share a row. */
const questions: Readonly<Record<Question, Words<string>>> = {
  dns: network,
  connect: network,
  tls: network,
  proxy: { en: 'Do requests go through a proxy?', pt: 'As requisições passam por um proxy?' },
  'auth.headers': credentials,
  'auth.oauth': credentials,
  'auth.both': credentials,
  token: credentials,
  http: server,
  encoding: server,
  clock: {
    en: `Is your clock within ${limits.webhookToleranceSeconds} seconds of the platform's?`,
    pt: `Seu relógio difere do relógio da plataforma em menos de ${limits.webhookToleranceSeconds} segundos?`,
  },
  'rate-limits': pace,
  latency: pace,
  'keep-alive': {
    en: 'Does anything on the network path cut idle connections?',
    pt: 'Algum equipamento na rede corta conexões ociosas?',
  },
  drift: {
    en: 'How do the responses, including payments, differ from the API docs?',
    pt: 'Em que as respostas, inclusive de pagamentos, diferem da documentação da API?',
  },
  'charge.same-key': {
    en: 'Do two requests with the same key create only one payment?',
    pt: 'Duas requisições com a mesma chave criam um único pagamento?',
  },
  'charge.at-once': {
    en: 'Do four simultaneous requests with one key create only one payment?',
    pt: 'Quatro requisições simultâneas com a mesma chave criam um único pagamento?',
  },
  'charge.other-payload': {
    en: 'If the payload changes, does the same key prevent a second charge?',
    pt: 'A plataforma evita outra cobrança se a chave chegar com outros dados?',
  },
  'charge.other-order': {
    en: 'Does the key prevent a second charge even if the `externalId` changes?',
    pt: 'A chave evita outra cobrança mesmo que o `externalId` mude?',
  },
  'charge.lost-response': {
    en: 'Does a retry after a lost response return the same payment?',
    pt: 'Depois de uma resposta perdida, a nova tentativa retorna o mesmo pagamento?',
  },
  'charge.similar-keys': {
    en: `Does the platform compare all ${limits.idempotencyKeyLength} characters of a key?`,
    pt: `A plataforma compara todos os ${limits.idempotencyKeyLength} caracteres de uma chave?`,
  },
  'charge.body': {
    en: "Does the payment have the order's amount, and are its strings unchanged?",
    pt: 'O valor e os textos do pedido chegam sem alteração?',
  },
  'charge.field-names': {
    en: 'Which [assumed names](assumptions.md) does the platform use?',
    pt: 'Quais [nomes presumidos](assumptions.md) a plataforma usa?',
  },
};

const titles = { en: ['Check', 'Question'], pt: ['Verificação', 'Pergunta'] };

const checkTable = (isListed: (name: string) => boolean) => (language: Language) => {
  const names = (Object.keys(questions) as Question[]).filter(isListed);
  const rows = [...new Set(names.map((name) => questions[name]))].map((question) => [
    names
      .filter((name) => questions[name] === question)
      .map(code)
      .join(', '),
    question[language],
  ]);
  return [titles[language], ...rows];
};

const needsCharge = (name: string) => name.startsWith('charge.');

export const doctorTables = {
  'doctor.charges': checkTable(needsCharge),
  'doctor.reads': checkTable((name) => !needsCharge(name)),
};
