import { transactionEvents } from '../../../src/contract/events.js';
import { operations } from '../../../src/contract/index.js';
import type { DeliveryFaultRule } from '../../faults/delivery-faults.js';
import { deliveryFaults } from '../../faults/fault-names.js';
import { phases } from '../../faults/fault-phases.js';
import type { FaultRule } from '../../faults/request-faults.js';
import { type AnyAction, action } from '../action.js';
import { type JsonSchema, object, readField, requiredField } from '../fields.js';
import { responseWith, responseWithList } from '../response-types.js';

const positive: JsonSchema = { type: 'integer', minimum: 1 };
const aDuration: JsonSchema = { oneOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] };

const matchSelection = {
  id: readField<NonNullable<FaultRule['id']>>('An id, so that you can remove the fault. Default: a number.', {
    oneOf: [{ type: 'string' }, { type: 'integer' }],
  }),
  nth: readField<number>(
    'The first matching request or delivery that it affects, counted from 1. Default 1. Cannot be combined with `rate`.',
    positive,
  ),
  times: readField<number>('The number of matches that it affects. Default 1, or all with `rate`.', positive),
  rate: readField<number>('The probability with which it affects each match. The seed decides which ones.', {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1,
  }),
};

const faultRule = {
  ...matchSelection,
  operation: readField<NonNullable<FaultRule['operation']>>(
    'The operation whose requests it affects. Default `*`: any request. For `acquirer-unknown`, the default is `payments.create`.',
    { type: 'string', examples: ['*', ...operations.slice(0, 3).map(({ id }) => id)] },
  ),
  phase: readField<NonNullable<FaultRule['phase']>>(
    '`before-read`: the body is not read. `before-commit` (default): the operation is not executed. `after-commit`: the operation is executed, and its response is lost or replaced. `mid-response`: the response breaks off in the middle.',
    { type: 'string', enum: phases },
  ),
  fault: requiredField(
    readField<FaultRule['fault']>(
      "The failure: a name such as `reset`, `hang`, `truncate`, `garbage`, `empty`, `invalid-json` or `acquirer-unknown`; `{ slow: '3s' }`; or a response that replaces the platform's.",
      {
        oneOf: [
          { type: 'string' },
          object({ slow: aDuration }),
          object({ status: { type: 'integer', minimum: 200, maximum: 599 }, 'headers?': {}, 'body?': {} }),
        ],
        examples: ['reset', { status: 503, headers: { 'retry-after': '1' } }],
      },
    ),
  ),
  delay: readField<NonNullable<FaultRule['delay']>>(
    "The delay before the response or the failure, in real time: milliseconds, or a string such as '2s'. Default 0.",
    aDuration,
  ),
};

const deliveryFaultRule = {
  ...matchSelection,
  event: readField<NonNullable<DeliveryFaultRule['event']>>(
    'The event whose deliveries it affects. Default `*`: any event.',
    { type: 'string', enum: [...transactionEvents, '*'] },
  ),
  endpoint: readField<string>(
    'The id of the webhook endpoint whose deliveries it affects. Default `*`: any endpoint.',
    { type: 'string' },
  ),
  fault: requiredField(
    readField<DeliveryFaultRule['fault']>('The fault that affects the delivery on its way to the receiver.', {
      type: 'string',
      enum: deliveryFaults,
    }),
  ),
  delay: readField<NonNullable<DeliveryFaultRule['delay']>>(
    "The delay of the fault `delay`, on the sandbox's clock: milliseconds, or a string such as '2m'.",
    aDuration,
  ),
};

/** Ids can be numbers, but a path is a string. */
const findFaultId = (
  text: string,
  { pending, fired }: Record<'pending' | 'fired', readonly { id: string | number }[]>,
) => [...pending, ...fired].find(({ id }) => String(id) === text)?.id ?? text;

export const faultActions: readonly AnyAction[] = [
  action({
    id: 'faults.list',
    route: 'GET /faults',
    summary: 'List the request faults that can still occur',
    response: responseWithList('PendingFault', 'In the order in which they were added.'),
    run: ({ faults }) => ({ data: faults.pending }),
  }),
  action({
    id: 'faults.add',
    route: 'POST /faults',
    summary: 'Add a request fault',
    body: faultRule,
    response: responseWith('PendingFault', 'The fault, with its id.'),
    run: ({ faults }, { body }) => faults.add(body),
  }),
  action({
    id: 'faults.fired',
    route: 'GET /faults/fired',
    summary: 'List the requests that a fault affected',
    response: responseWithList('FiredFault', 'In the order in which they were affected.'),
    run: ({ faults }) => ({ data: faults.fired }),
  }),
  action({
    id: 'faults.remove',
    route: 'DELETE /faults/{id}',
    summary: 'Remove a request fault',
    response: { description: 'The fault is removed. No body.' },
    run: ({ faults }, { params }) => void faults.remove(findFaultId(params.id ?? '', faults)),
  }),
  action({
    id: 'faults.clear',
    route: 'DELETE /faults',
    summary: 'Remove all request faults',
    response: { description: 'All faults are removed. No body.' },
    run: ({ faults }) => faults.clear(),
  }),
  action({
    id: 'deliveryFaults.list',
    route: 'GET /delivery-faults',
    summary: 'List the delivery faults that can still occur',
    response: responseWithList('PendingDeliveryFault', 'In the order in which they were added.'),
    run: ({ webhooks }) => ({ data: webhooks.faults.pending }),
  }),
  action({
    id: 'deliveryFaults.add',
    route: 'POST /delivery-faults',
    summary: 'Add a delivery fault',
    body: deliveryFaultRule,
    response: responseWith('PendingDeliveryFault', 'The fault, with its id.'),
    run: ({ webhooks }, { body }) => webhooks.faults.add(body),
  }),
  action({
    id: 'deliveryFaults.fired',
    route: 'GET /delivery-faults/fired',
    summary: 'List the delivery attempts that a fault affected',
    response: responseWithList('FiredDeliveryFault', 'In the order in which they were affected.'),
    run: ({ webhooks }) => ({ data: webhooks.faults.fired }),
  }),
  action({
    id: 'deliveryFaults.remove',
    route: 'DELETE /delivery-faults/{id}',
    summary: 'Remove a delivery fault',
    response: { description: 'The fault is removed. No body.' },
    run: ({ webhooks }, { params }) =>
      void webhooks.faults.remove(findFaultId(params.id ?? '', webhooks.faults)),
  }),
  action({
    id: 'deliveryFaults.clear',
    route: 'DELETE /delivery-faults',
    summary: 'Remove all delivery faults',
    response: { description: 'All faults are removed. No body.' },
    run: ({ webhooks }) => webhooks.faults.clear(),
  }),
];
