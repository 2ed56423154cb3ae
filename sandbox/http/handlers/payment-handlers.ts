import type { Payment } from '../../../src/contract/payments/types.js';
import { isRecord } from '../../../src/validation/record.js';
import type { Behaviour } from '../../defaults/all.js';
import type { AcceptedPayment } from '../../payments/new-payment.js';
import type { PaymentRecord } from '../../payments/payment-record.js';
import { createBoletoResponse } from '../boleto-response.js';
import type { Call, Handlers } from '../handler.js';
import { withResponseFields } from '../response-fields.js';
import { createProblem, json, requireFound } from '../responses.js';

const noPayment = 'No payment has this id.';

/** Bodies have passed the contract's schema, so the casts are safe. */
export const paymentHandlers = {
  'payments.create': {
    features: ({ merchant, body, idempotencyKey }) =>
      isRecord(body) && body.split !== undefined && !merchant.payments.isRepeat(idempotencyKey)
        ? ['paas', 'split']
        : [],
    issues: ({ merchant, body, idempotencyKey }) => merchant.payments.issues(body, idempotencyKey),
    invalid: 'paymentInvalid',
    run: pay,
  },
  'payments.boleto': {
    run: ({ merchant, params }) =>
      printBoleto(requireFound(merchant.payments.find(params.id ?? ''), noPayment), merchant.behaviour),
  },
  'vault.tokenize': {
    reads: ['number', 'holderName', 'expirationMonth', 'expirationYear', 'cvv'],
    issues: ({ merchant, body }) => merchant.vault.issues(body),
    run: ({ merchant, body }) => {
      const { cardTokenId, card } = merchant.vault.add((body as { number: string }).number);
      return json(
        merchant.behaviour.statuses.cardTokenized,
        merchant.behaviour.vault.response({ cardTokenId, ...card }),
      );
    },
  },
} satisfies Partial<Handlers>;

function pay({ merchant, body, idempotencyKey, acquirerFails, origin }: Call): Response {
  const { statuses, responses } = merchant.behaviour;
  const toResponseBody = (payment: Payment) =>
    withResponseFields(
      payment,
      requireFound(merchant.payments.find(payment.id), noPayment),
      responses,
      origin,
    );
  const request = body as AcceptedPayment;
  const verdict = merchant.payments.submit({ request, idempotencyKey, acquirerFails });
  switch (verdict.is) {
    case 'created':
      return json(statuses.paymentCreated, toResponseBody(verdict.payment));
    case 'replayed':
      return json(statuses.paymentReplayed, toResponseBody(verdict.payment));
    case 'unknown':
      return createProblem(
        statuses.acquirerUnknown,
        'acquirer_unavailable',
        'The acquirer did not respond. The payment may exist.',
      );
    case 'protected':
      return createProblem(
        409,
        'payment_outcome_unknown',
        'The first attempt with this x-idempotency-key ended in an unknown state. The key is protected until it is resolved.',
      );
    case 'key-reused':
      return createProblem(
        statuses.keyReused,
        'idempotency_key_reused',
        'This x-idempotency-key was used before with another payload.',
        [{ path: 'x-idempotency-key', message: 'was used before with another payload' }],
      );
  }
}

function printBoleto({ id, boleto, draft, createdAt }: PaymentRecord, { statuses }: Behaviour): Response {
  const { amount, paymentMethod, customer } = draft;
  if (boleto === undefined) {
    return createProblem(statuses.notABoleto, 'not_a_boleto', `Payment ${id} is a ${paymentMethod} payment.`);
  }
  return createBoletoResponse({ id, amount, createdAt, ...(customer && { customer }) }, boleto);
}
