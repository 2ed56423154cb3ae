import { createSandbox, testCards } from '../../sandbox/index.js';
import { samples } from '../../sandbox/testing/index.js';
import { type TransactionEventName, transactionEvents } from '../../src/contract/events.js';
import { PaymentPlatform } from '../../src/index.js';
import type { Language, Words } from './words.js';

type Step = 'pay' | 'refund' | 'chargeback' | 'cancel' | 'expire';

/** The steps that lead a payment to an event. */
interface Course {
  readonly method: 'pix' | 'boleto' | 'card';
  readonly card?: string;
  /** The payment's steps after its creation. */
  readonly steps?: readonly Step[];
}

const courses: Readonly<Record<TransactionEventName, Course>> = {
  'transaction.waiting_payment': { method: 'boleto' },
  'transaction.paid': { method: 'pix', steps: ['pay'] },
  'transaction.refused': { method: 'card', card: testCards.insufficientFunds },
  'transaction.refunded': { method: 'pix', steps: ['pay', 'refund'] },
  'transaction.chargedback': { method: 'card', steps: ['chargeback'] },
  'transaction.cancelled': { method: 'pix', steps: ['cancel'] },
  'transaction.expired': { method: 'pix', steps: ['expire'] },
  'transaction.in_analysis': { method: 'card', card: testCards.inAnalysis },
  'transaction.status.updated': { method: 'pix', steps: ['pay'] },
};

interface Fixed {
  readonly head: string;
  /** The label for the receiver's task. */
  readonly task: string;
  /** When the platform sends an event (API docs, Transaction events), and how a receiver reacts. */
  readonly events: Readonly<Record<TransactionEventName, { readonly when: string; readonly task: string }>>;
}

const words: Words<Fixed> = {
  en: {
    head: `# Events

The nine events that the API docs list, each with the body that the sandbox sends. More events may come at any time: acknowledge those that you do not know.

Documented of a body are only \`event\` and, for a boleto, \`boleto.digitableLine\`; the other fields are assumed to be those of the payment. \`externalReference\` is the \`externalId\` of the order. How to check a delivery and handle it once: [Receiving webhooks](webhooks.md), or without an SDK, [Any language](any-language.md#what-a-receiver-checks).
`,
    task: 'What to do',
    events: {
      'transaction.waiting_payment': {
        when: 'The transaction awaits its payment: here a boleto.',
        task: 'Deliver nothing yet. Keep the order open until `transaction.paid`, `transaction.expired` or `transaction.cancelled`.',
      },
      'transaction.paid': {
        when: 'The transaction is paid: here a Pix.',
        task: 'Find the order by `externalReference`, compare the amount, and deliver once.',
      },
      'transaction.refused': {
        when: 'The transaction is refused: here a card.',
        task: 'Deliver nothing, and offer another way to pay: a new payment, with a new key.',
      },
      'transaction.refunded': {
        when: 'The transaction is refunded.',
        task: 'Mark the order as refunded, and stop its delivery.',
      },
      'transaction.chargedback': {
        when: 'The transaction has a chargeback.',
        task: 'Stop the delivery, and pass the order to your disputes team.',
      },
      'transaction.cancelled': {
        when: 'The transaction is cancelled.',
        task: 'Close the order, and release its reserved stock.',
      },
      'transaction.expired': {
        when: 'The transaction has expired.',
        task: 'Release the reserved stock. Be ready for a later `transaction.paid`: banks may take a boleto after its due date.',
      },
      'transaction.in_analysis': {
        when: 'The transaction is under analysis.',
        task: 'Deliver nothing yet: `transaction.paid` or `transaction.refused` decides.',
      },
      'transaction.status.updated': {
        when: 'Any change of status, beside its specific event and with the same content: here that of a paid Pix.',
        task: 'Acknowledge it without an effect if you handle the specific events. Otherwise act by its `status`.',
      },
    },
  },
  pt: {
    head: `# Eventos

Os nove eventos que a documentação da API lista, cada um com o corpo que o sandbox envia. Novos eventos podem surgir a qualquer momento: confirme os que você não conhece.

De um corpo, só \`event\` e, em um boleto, \`boleto.digitableLine\` são documentados; supõe-se que os outros campos sejam os do pagamento. \`externalReference\` é o \`externalId\` do pedido. Como conferir uma entrega e tratá-la uma vez: [Receber webhooks](webhooks.md) ou, sem um SDK, [Qualquer linguagem](any-language.md#o-que-um-receptor-confere).
`,
    task: 'O que fazer',
    events: {
      'transaction.waiting_payment': {
        when: 'A transação aguarda o pagamento: aqui, um boleto.',
        task: 'Ainda não entregue nada. Mantenha o pedido aberto até `transaction.paid`, `transaction.expired` ou `transaction.cancelled`.',
      },
      'transaction.paid': {
        when: 'A transação foi paga: aqui, um Pix.',
        task: 'Encontre o pedido por `externalReference`, compare o valor e entregue uma vez.',
      },
      'transaction.refused': {
        when: 'A transação foi recusada: aqui, um cartão.',
        task: 'Não entregue nada e ofereça outra forma de pagar: um pagamento novo, com uma chave própria.',
      },
      'transaction.refunded': {
        when: 'A transação foi estornada.',
        task: 'Marque o pedido como estornado e interrompa o que ainda não foi entregue.',
      },
      'transaction.chargedback': {
        when: 'A transação sofreu um chargeback (contestação).',
        task: 'Interrompa o que ainda não foi entregue e passe o pedido a quem responde a contestações.',
      },
      'transaction.cancelled': {
        when: 'A transação foi cancelada.',
        task: 'Feche o pedido e libere o que estava reservado para ele.',
      },
      'transaction.expired': {
        when: 'A transação venceu.',
        task: 'Libere o que estava reservado para o pedido. Esteja pronto para um `transaction.paid` posterior: bancos podem aceitar um boleto vencido.',
      },
      'transaction.in_analysis': {
        when: 'A transação está em análise.',
        task: 'Ainda não entregue nada: `transaction.paid` ou `transaction.refused` decide.',
      },
      'transaction.status.updated': {
        when: 'Qualquer mudança de status, ao lado do evento específico e com o mesmo conteúdo: aqui, a de um Pix pago.',
        task: 'Confirme sem nenhum efeito se você trata os eventos específicos. Senão, aja de acordo com o `status`.',
      },
    },
  },
};

/** Writes docs/events.md: a heading for each event, with the body that the sandbox sends. */
export async function eventsPage(language: Language): Promise<string> {
  const { head, task, events } = words[language];
  const entries = await Promise.all(
    transactionEvents.map(async (event) =>
      [
        `## ${event}\n`,
        `${events[event].when}\n`,
        `**${task}:** ${events[event].task}\n`,
        `\`\`\`json\n${printed(await payloadOf(event))}\n\`\`\`\n`,
      ].join('\n'),
    ),
  );
  return ['<!-- Generated by npm run generate from the sandbox. -->\n', head, ...entries].join('\n');
}

/** Produces an event's last notification for a payment in a separate sandbox. */
async function payloadOf(event: TransactionEventName): Promise<unknown> {
  await using sandbox = createSandbox({ seed: 1, now: '2026-01-01T00:00:00Z' });
  const bodies: string[] = [];
  sandbox.webhooks.connect(
    async (request) => {
      bodies.push(await request.text());
      return new Response();
    },
    { events: [event] },
  );
  await using platform = new PaymentPlatform(sandbox.clientOptions());
  const { id } = await platform.payments.create(orderOf(courses[event]), { idempotencyKey: 'order-1001' });
  for (const step of courses[event].steps ?? []) sandbox.control.payments[step](id);
  await sandbox.webhooks.idle();
  return JSON.parse(bodies.at(-1) ?? '');
}

function orderOf({ method, card }: Course) {
  const order = { externalId: 'order-1001' };
  if (method !== 'card') return samples.payments[method](order);
  return samples.payments.card({ ...order, ...(card !== undefined && { card: { number: card } }) });
}

/** Prints JSON, with short objects on one line. */
const printed = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replace(/\{\s+([^{}]+?)\s+\}/g, (object, fields: string) => {
      const line = `{ ${fields.replace(/\s*\n\s*/g, ' ')} }`;
      return line.length < 80 ? line : object;
    })
    .replace(/\[\s+([^[\]\n]+?)\s+\]/g, '[$1]');
