import { json, problem } from './answers.js';
import { boletoPdf } from './boleto-pdf.js';
import { answerStatus } from './choices.js';
import type { AcceptedPayment } from './draft.js';
import type { AcceptedWebhook, Endpoints } from './endpoints.js';
import type { PaymentRecord } from './payment-record.js';
import type { Payments } from './payments.js';
import type { Call, Handlers } from './router.js';

/** How each operation is answered. Bodies have passed the contract's schema, which is what the casts rely on. */
export function createHandlers(payments: Payments, endpoints: Endpoints): Handlers {
  return {
    'payments.create': {
      issues: ({ body, idempotencyKey }) => payments.issues(body, idempotencyKey),
      run: (call) => pay(payments, call),
    },
    'payments.boleto': {
      run: ({ params }) => printBoleto(payments.find(params.id ?? '')),
    },
    'webhooks.create': {
      issues: ({ body }) => endpoints.issues(body),
      run: ({ body }) => json(answerStatus.webhookCreated, endpoints.add(body as AcceptedWebhook)),
    },
    'webhooks.list': {
      run: () => json(200, { data: endpoints.list() }),
    },
  };
}

function pay(payments: Payments, { body, idempotencyKey, acquirerFails }: Call): Response {
  const verdict = payments.submit({ request: body as AcceptedPayment, idempotencyKey, acquirerFails });
  switch (verdict.is) {
    case 'created':
      return json(answerStatus.paymentCreated, verdict.payment);
    case 'replayed':
      return json(answerStatus.paymentReplayed, verdict.payment);
    case 'unknown':
      return problem(
        answerStatus.acquirerUnknown,
        'acquirer_unavailable',
        'The acquirer did not answer: whether the payment was made is unknown.',
      );
    case 'protected':
      return problem(
        409,
        'payment_outcome_unknown',
        'The first attempt with this x-idempotency-key ended in an unknown state. The key is protected until it is resolved.',
      );
    case 'key-reused':
      return problem(
        answerStatus.keyReused,
        'idempotency_key_reused',
        'This x-idempotency-key was used before with another payload.',
        [{ path: 'x-idempotency-key', message: 'was used before with another payload' }],
      );
  }
}

async function printBoleto(record: PaymentRecord | undefined): Promise<Response> {
  if (record === undefined) return problem(404, 'not_found', 'There is no such payment.');
  const { id, boleto, draft, createdAt } = record;
  if (boleto === undefined) {
    return problem(
      answerStatus.notABoleto,
      'not_a_boleto',
      `Payment ${id} is a ${draft.paymentMethod} payment.`,
    );
  }
  const { name, documentNumber } = draft.customer ?? {};
  const pdf = await boletoPdf({
    paymentId: id,
    payer: [name, documentNumber].filter(Boolean).join(', '),
    amount: draft.amount,
    dueDate: boleto.dueDate,
    digitableLine: boleto.digitableLine,
    createdAt: new Date(createdAt),
  });
  return new Response(pdf, { headers: { 'content-type': 'application/pdf' } });
}
