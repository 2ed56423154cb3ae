import { paymentMethods } from '../../../src/contract/payments/methods.js';
import type { PaymentDetails } from '../../control/payment-control.js';
import {
  paymentStatuses,
  paymentTransitionNames,
  paymentTransitions,
  type Transition,
} from '../../defaults/transitions.js';
import { createBoletoResponse } from '../../http/boleto-response.js';
import { NotFound } from '../../http/responses.js';
import { type AnyAction, action } from '../action.js';
import { anObjectField, enumField, requiredField, text } from '../fields.js';
import { defaultLimit, part } from '../list-queries.js';
import { responseWith, responseWithList } from '../response-types.js';
import { requestSample } from '../samples.js';

const transition = (name: Transition): AnyAction =>
  action({
    id: `payments.${name}`,
    route: `POST /payments/{id}/${name}`,
    summary: `${paymentTransitions[name].summary} (\`${paymentTransitions[name].to}\`)`,
    response: responseWith('Payment', 'The payment, with the fields of the API.'),
    conflicts: true,
    run: ({ control }, { params }) => control.payments[name](params.id ?? ''),
  });

export const paymentActions: readonly AnyAction[] = [
  action({
    id: 'payments.list',
    route: 'GET /payments',
    summary: 'List the newest payments of all merchants',
    query: {
      ...part,
      status: enumField('Only payments with this status.', paymentStatuses),
      search: text(
        'Only payments whose id, external id, idempotency key or customer contains this string, or whose amount it is, in cents or as `19,90`.',
      ),
    },
    response: responseWithList('Payment', 'In the order of creation, the newest last.'),
    run: ({ control }, { query }) => ({ data: control.payments.list({ limit: defaultLimit, ...query }) }),
  }),
  action({
    id: 'payments.unresolved',
    route: 'GET /payments/unresolved',
    summary: 'List the idempotency keys with an unknown outcome',
    response: responseWithList('UnresolvedKey', 'By merchant, in the order of the attempts.'),
    run: ({ control }) => ({ data: control.payments.unresolved() }),
  }),
  action({
    id: 'payments.resolve',
    route: 'POST /payments/resolve',
    summary: 'Resolve the unknown outcome of an idempotency key',
    body: {
      idempotencyKey: requiredField(text('The idempotency key that was sent.')),
      resolution: requiredField(
        enumField('Whether the first attempt created the payment.', ['created', 'not-created']),
      ),
      clientId: text('The client id of the merchant, if several have the key.'),
    },
    response: { description: 'The key is resolved. No body.' },
    conflicts: true,
    run: ({ control }, { body: { idempotencyKey, resolution, clientId } }) =>
      clientId === undefined
        ? control.payments.resolve(idempotencyKey, resolution)
        : control.payments.resolve(idempotencyKey, resolution, { clientId }),
  }),
  action({
    id: 'payments.details',
    route: 'GET /payments/{id}',
    summary: 'Get a payment with its history and its Pix code or boleto',
    response: responseWith('PaymentDetails', 'The payment, including fields that the API does not return.'),
    run: ({ control }, { params }) => control.payments.details(params.id ?? ''),
  }),
  action({
    id: 'payments.boleto',
    route: 'GET /payments/{id}/boleto.pdf',
    summary: "Get a payment's boleto as a PDF",
    response: {
      description: 'A PDF of one page. 404 for a payment without a boleto.',
      types: ['application/pdf'],
    },
    run: ({ control }, { params }) => printBoleto(control.payments.details(params.id ?? '')),
  }),
  action({
    id: 'payments.sample',
    route: 'POST /payments/sample',
    summary: "Create a sample payment through the API, as the sandbox's first merchant",
    body: {
      paymentMethod: enumField('The payment method. Default `pix`.', paymentMethods),
      fields: anObjectField(
        'Fields that override the sample order, including nested fields: `{ "amount": 4990 }`. Default: none.',
      ),
    },
    response: responseWith(
      'Payment',
      'The payment. The journal contains its request. If a fault affected the request, a 409 names the effect in `code`: `response_lost` (the payment was created, and `paymentId` is its id), `outcome_unknown`, `connection_broken` or `refused`.',
    ),
    conflicts: true,
    run: (sandbox, { body }) => requestSample(sandbox, body.paymentMethod ?? 'pix', body.fields),
  }),
  ...paymentTransitionNames.map(transition),
];

function printBoleto({ payment, boleto }: PaymentDetails): Response {
  if (boleto === undefined) throw new NotFound(`Payment ${payment.id} has no boleto.`);
  return createBoletoResponse(payment, boleto);
}
