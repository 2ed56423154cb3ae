import { addResponses, describeDeliveries } from '../../control/delivery-description.js';
import { deliveryStates, endpointStatuses } from '../../defaults/transitions.js';
import { type AnyAction, action } from '../action.js';
import { enumField, requiredField, text, texts } from '../fields.js';
import { defaultLimit, part, selectPart } from '../list-queries.js';
import { responseWith, responseWithList } from '../response-types.js';

export const webhookActions: readonly AnyAction[] = [
  action({
    id: 'endpoints.list',
    route: 'GET /endpoints',
    summary: 'List the webhook endpoints',
    query: part,
    response: responseWithList('Endpoint', 'By merchant, in the order of registration.'),
    run: ({ webhooks }, { query }) =>
      selectPart(webhooks.endpoints, query, 'webhook endpoint', ({ id }) => id),
  }),
  action({
    id: 'endpoints.register',
    route: 'POST /endpoints',
    summary: "Register a webhook endpoint for the sandbox's first merchant",
    body: {
      url: requiredField(text('An https URL, or http on loopback or a host in `httpWebhookHosts`.')),
      events: texts('Default: all transaction events.'),
      secret: text('16 to 256 characters. The sandbox signs deliveries only if the endpoint has a secret.'),
      submerchant: text('The `internalId` of the sub-account that owns the endpoint. Default: the merchant.'),
    },
    response: responseWith('Endpoint', 'The endpoint, without its secret.'),
    rejectionStatus: 400,
    run: ({ webhooks }, { body }) => webhooks.register(body),
  }),
  action({
    id: 'endpoints.status',
    route: 'POST /endpoints/{id}/status',
    summary: "Change a webhook endpoint's status",
    body: {
      status: requiredField(enumField('Only an active endpoint receives notifications.', endpointStatuses)),
    },
    response: responseWith('Endpoint', 'The endpoint.'),
    run: ({ control }, { params, body }) => control.webhooks.setStatus(params.id ?? '', body.status),
  }),
  action({
    id: 'endpoints.remove',
    route: 'DELETE /endpoints/{id}',
    summary: 'Remove a webhook endpoint, so that you can register another one',
    response: { description: 'The endpoint is removed. No body.' },
    run: ({ control }, { params }) => control.webhooks.remove(params.id ?? ''),
  }),
  action({
    id: 'deliveries.list',
    route: 'GET /deliveries',
    summary: 'List the newest deliveries, each with the outcome of its latest attempt',
    query: {
      ...part,
      endpoint: text('Only deliveries to the endpoint with this id.'),
      event: text('Only deliveries of this event.'),
      state: enumField('Only deliveries in this state.', deliveryStates),
      payment: text('Only deliveries about the payment with this id.'),
    },
    response: responseWithList('Delivery', 'In order of sending, the newest last.'),
    run: (sandbox, { query, timeline }) => ({
      data: describeDeliveries(sandbox, timeline, sandbox.webhooks.list({ limit: defaultLimit, ...query })),
    }),
  }),
  action({
    id: 'deliveries.retrieve',
    route: 'GET /deliveries/{id}',
    summary: 'Get a delivery, with the exact body and headers of every attempt',
    response: responseWith('Attempts', 'The delivery and its attempts, in order of time.'),
    run: (sandbox, { params: { id = '' }, timeline }) => ({
      id,
      delivery: describeDeliveries(sandbox, timeline, [sandbox.webhooks.retrieve(id)])[0],
      attempts: addResponses(sandbox.webhooks.attempts(id), timeline),
    }),
  }),
  action({
    id: 'deliveries.resend',
    route: 'POST /deliveries/{id}/resend',
    summary: 'Resend a notification as a new delivery, with a new signature',
    response: { description: 'The attempt is scheduled. No body.' },
    conflicts: true,
    run: ({ webhooks }, { params }) => webhooks.redeliver(params.id ?? ''),
  }),
];
