import { createSandbox, testCards } from '../../../sandbox/index.js';
import { samples } from '../../../sandbox/testing/index.js';
import { type TransactionEventName, transactionEvents } from '../../../src/contract/events.js';
import { PaymentPlatform } from '../../../src/index.js';

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

/** The body that the sandbox sends for each event. If an operation lacks a part, using the body throws. */
export const eventBodies: Readonly<Record<string, () => string>> = Object.fromEntries(
  await Promise.all(
    transactionEvents.map(async (event) => {
      const [payload] = await Promise.allSettled([producePayload(event)]);
      const body = () => {
        if (payload.status === 'rejected') throw payload.reason;
        return `\`\`\`json\n${printed(payload.value)}\n\`\`\`\n`;
      };
      return [`events.${event}`, body] as const;
    }),
  ),
);

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
