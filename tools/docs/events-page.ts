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
  /** Explains when the platform sends an event (API docs, Transaction events), and how a receiver reacts. */
  readonly events: Readonly<Record<TransactionEventName, { readonly when: string; readonly task: string }>>;
}

const words: Words<Fixed> = {
  en: {
    head: `# Events

The API docs list nine events. This page shows each event with the body that the sandbox sends. The platform can add events at any time, so acknowledge unknown events.

The API docs define only \`event\` and, for a boleto, \`boleto.digitableLine\`. The SDK assumes that the other fields are the payment's fields, and that \`externalReference\` is the order's \`externalId\`. To check deliveries and handle each event once, see [Receive webhooks](webhooks.md). If you don't use the SDK, see [Use another language](any-language.md#receiver-checks).
`,
    task: 'What to do',
    events: {
      'transaction.waiting_payment': {
        when: "The customer hasn't paid yet. The example shows a boleto payment.",
        task: "Don't ship yet. Keep the order open until the payment's next event.",
      },
      'transaction.paid': {
        when: 'The customer has paid. The example shows a Pix payment.',
        task: 'Find the order by `externalReference`, check the amount, and ship the order once.',
      },
      'transaction.refused': {
        when: 'The payment was declined. The example shows a card payment.',
        task: "Don't ship. Offer the customer another way to pay, and create a new payment with a new key.",
      },
      'transaction.refunded': {
        when: 'The customer got the money back.',
        task: 'Mark the order as refunded, and stop the shipment.',
      },
      'transaction.chargedback': {
        when: 'The customer disputed the charge with the bank (chargeback).',
        task: 'Stop the shipment, and pass the order to your disputes team.',
      },
      'transaction.cancelled': {
        when: 'The transaction was cancelled.',
        task: 'Close the order, and release the reserved stock.',
      },
      'transaction.expired': {
        when: 'The transaction has expired.',
        task: "Release the reserved stock, but still handle a `transaction.paid` that arrives later. The API docs don't say whether a boleto can be paid after its due date.",
      },
      'transaction.in_analysis': {
        when: 'The payment is under analysis.',
        task: "Don't ship yet. Wait for the payment's next event.",
      },
      'transaction.status.updated': {
        when: 'The platform sends this event for every status change, together with the specific event. Apart from the `event` field, both deliveries have the same content. The example shows a paid Pix payment.',
        task: "If you handle the specific events, acknowledge this event and do nothing. Otherwise, read the event's `status`.",
      },
    },
  },
  pt: {
    head: `# Eventos

A documentação da API lista nove eventos. Veja abaixo cada um deles, com o corpo que o sandbox envia. A plataforma pode criar tipos de evento a qualquer momento, então confirme também os que você não conhece.

A documentação da API só define \`event\` e, no boleto, \`boleto.digitableLine\`. O SDK supõe que os outros campos sejam os do pagamento e que \`externalReference\` seja o \`externalId\` que você enviou. Para conferir cada entrega e tratar cada evento uma única vez, veja [Receba webhooks](webhooks.md). Se você não usar o SDK, veja [Use outra linguagem](any-language.md#o-que-um-receptor-confere).
`,
    task: 'O que fazer',
    events: {
      'transaction.waiting_payment': {
        when: 'O cliente ainda não pagou. O exemplo é um boleto.',
        task: 'Ainda não despache o pedido. Mantenha-o em aberto até o próximo evento do pagamento.',
      },
      'transaction.paid': {
        when: 'O cliente pagou. O exemplo é um Pix.',
        task: 'Encontre o pedido por `externalReference`, compare o valor e despache uma única vez.',
      },
      'transaction.refused': {
        when: 'O pagamento foi recusado. O exemplo é de um pagamento com cartão.',
        task: 'Não despache o pedido. Ofereça outra forma de pagamento e crie um pagamento novo, com uma chave nova.',
      },
      'transaction.refunded': {
        when: 'O dinheiro voltou para o cliente.',
        task: 'Marque o pedido como estornado e suspenda o envio.',
      },
      'transaction.chargedback': {
        when: 'O cliente contestou a cobrança (chargeback).',
        task: 'Suspenda o envio e passe o pedido à equipe que cuida das contestações.',
      },
      'transaction.cancelled': {
        when: 'A transação foi cancelada.',
        task: 'Encerre o pedido e libere o estoque reservado.',
      },
      'transaction.expired': {
        when: 'A transação expirou.',
        task: 'Libere o estoque reservado, mas esteja pronto para tratar um `transaction.paid` posterior. A documentação da API não diz se um boleto pode ser pago depois do vencimento.',
      },
      'transaction.in_analysis': {
        when: 'O pagamento está em análise.',
        task: 'Ainda não despache o pedido. Espere o próximo evento do pagamento.',
      },
      'transaction.status.updated': {
        when: 'A plataforma envia este evento a cada mudança de status, junto com o evento específico. Exceto pelo campo `event`, as duas entregas têm o mesmo conteúdo. O exemplo é um Pix pago.',
        task: 'Se você trata os eventos específicos, apenas confirme este evento. Caso contrário, use o `status` do evento.',
      },
    },
  },
};

/** Writes docs/events.md, with a heading for each event and the body that the sandbox sends. */
export async function eventsPage(language: Language): Promise<string> {
  const { head, task, events } = words[language];
  const entries = await Promise.all(
    transactionEvents.map(async (event) =>
      [
        `## ${event}\n`,
        `${events[event].when}\n`,
        `**${task}:** ${events[event].task}\n`,
        `\`\`\`json\n${printed(await producePayload(event))}\n\`\`\`\n`,
      ].join('\n'),
    ),
  );
  return ['<!-- Generated by npm run generate from the sandbox. -->\n', head, ...entries].join('\n');
}

/** Produces an event's last notification for a payment in a separate sandbox. */
async function producePayload(event: TransactionEventName): Promise<unknown> {
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
  const { id } = await platform.payments.create(createOrder(courses[event]), {
    idempotencyKey: 'order-1001',
  });
  for (const step of courses[event].steps ?? []) sandbox.control.payments[step](id);
  await sandbox.webhooks.idle();
  return JSON.parse(bodies.at(-1) ?? '');
}

function createOrder({ method, card }: Course) {
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
