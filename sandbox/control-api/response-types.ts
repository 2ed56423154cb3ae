import { paymentMethods } from '../../src/contract/payments/methods.js';
import {
  deliveryStates,
  endpointStatuses,
  onboardingStates,
  paymentTransitionNames,
  subAccountStatuses,
  withdrawalStatuses,
} from '../defaults/transitions.js';
import type { JsonSchema } from './fields.js';

/** Every response of the control API has the sandbox's version in it. */
export const sandboxHeader = 'payment-platform-sandbox';

// JSON Schemas of the responses. Objects can have additional fields.

const aString: JsonSchema = { type: 'string' };
const aUuid: JsonSchema = { type: 'string', format: 'uuid' };
const aTime: JsonSchema = { type: 'string', format: 'date-time' };
const aNumber: JsonSchema = { type: 'integer' };
const cents: JsonSchema = { type: 'integer', description: 'Cents.' };
const aFlag: JsonSchema = { type: 'boolean' };
const anyObject: JsonSchema = { type: 'object' };

const toListSchema = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const one = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });

/** A field whose name ends in `?` is optional. */
export function object(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name]])),
  };
}

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const responseWith = (name: keyof typeof schemas, description: string) => ({
  description,
  schema: ref(name),
});

/** A list of one of `schemas`, and additional fields. */
export const responseWithList = (
  name: keyof typeof schemas,
  description: string,
  more: Readonly<Record<string, JsonSchema>> = {},
) => ({ description, schema: object({ data: toListSchema(ref(name)), ...more }) });

const progress = {
  id: {},
  nth: aNumber,
  'times?': aNumber,
  'rate?': { type: 'number' },
  seen: aNumber,
  hits: aNumber,
  'left?': aNumber,
};

const attempt = {
  id: aUuid,
  endpointId: aUuid,
  'url?': aString,
  event: aString,
  'status?': aNumber,
  'error?': aString,
  state: one(...deliveryStates),
};

const receiverResponse = object({
  duration: {
    type: 'integer',
    description: 'Milliseconds of real time from the request to the response headers.',
  },
  body: { type: 'string', description: 'The beginning of the body, at most 2 KiB.' },
});

const summary = {
  ...attempt,
  'paymentId?': aUuid,
  attempts: aNumber,
  'at?': aTime,
  'nextAttemptAt?': { ...aTime, description: 'The time of the next attempt.' },
  'amount?': { ...cents, description: "The payment's amount, in cents." },
  'externalReference?': { ...aString, description: "The payment's `externalReference`: the order." },
  'response?': { ...receiverResponse, description: "The receiver's response to the latest attempt." },
};

const account = {
  internalId: aUuid,
  externalId: aString,
  status: one(...subAccountStatuses),
  'document?': object({ number: aString, type: aString }),
  createdAt: aTime,
  fields: anyObject,
};

const registration = {
  registration_id: aUuid,
  kind: one('pf', 'pj'),
  externalId: aString,
  status: one(...onboardingStates),
  can_resubmit: aFlag,
  'reason?': aString,
  'internalId?': aUuid,
  createdAt: aTime,
  fields: anyObject,
};

const features = object({ paas: aFlag, split: aFlag });

const payment = object({
  id: aUuid,
  status: aString,
  amount: cents,
  paymentMethod: one(...paymentMethods),
  createdAt: aTime,
  'externalReference?': aString,
  'card?': anyObject,
  'customer?': anyObject,
  items: toListSchema(anyObject),
  'upsell?': anyObject,
  'refusalReason?': anyObject,
  'subMerchant?': anyObject,
  'split?': anyObject,
});

export const schemas = {
  Error: object({
    error: object({
      code: aString,
      message: aString,
      'issues?': toListSchema(object({ path: aString, message: aString })),
    }),
  }),
  IllegalTransition: object({
    error: object({
      code: { type: 'string', description: '`illegal_transition`, or the code of another conflict.' },
      message: aString,
      'status?': { type: 'string', description: 'The current status.' },
      'paymentId?': { type: 'string', description: 'The payment whose response was lost.' },
      'legal?': { ...toListSchema(aString), description: 'The actions that are possible now.' },
    }),
  }),
  Info: object({
    version: aString,
    now: aTime,
    frozen: aFlag,
    merchants: toListSchema(ref('Merchant')),
    testCards: anyObject,
    testCardTokens: anyObject,
    testWalletTokens: anyObject,
    counts: anyObject,
    operations: toListSchema(aString),
  }),
  Merchant: object({ clientId: aString, features }),
  Credentials: object({ clientId: aString, clientSecret: aString }),
  Payment: payment,
  PaymentDetails: object({
    payment: ref('Payment'),
    clientId: aString,
    'idempotencyKey?': aString,
    history: toListSchema(object({ status: aString, at: aTime })),
    transitions: toListSchema(one(...paymentTransitionNames)),
    'expiresAt?': aTime,
    'pix?': object({ copyAndPaste: aString }),
    'boleto?': object({
      dueDate: { type: 'string', format: 'date' },
      digitableLine: { type: 'string', pattern: '^\\d{47}$' },
    }),
  }),
  UnresolvedKey: object({
    idempotencyKey: aString,
    clientId: aString,
    amount: cents,
    paymentMethod: aString,
  }),
  Charge: object({
    paymentId: aUuid,
    'idempotencyKey?': aString,
    amount: cents,
    paymentMethod: aString,
    'externalReference?': aString,
    status: aString,
    chargedAt: aTime,
  }),
  Registration: object(registration),
  RegistrationDetails: object({ ...registration, documents: toListSchema(ref('Document')) }),
  Document: object({
    field: aString,
    'filename?': aString,
    contentType: aString,
    size: aNumber,
    sha256: aString,
  }),
  SubAccount: object(account),
  SubAccountWithBalance: object({
    ...account,
    balance: {
      type: 'integer',
      description:
        "In cents: the sub-account's share of paid payments, minus the withdrawals that did not fail. The API docs show no balances.",
    },
  }),
  Withdrawal: object({
    withdraw_id: aNumber,
    status: one(...withdrawalStatuses),
    internalId: aUuid,
    amount: cents,
    createdAt: aTime,
  }),
  Domain: object({
    id: aUuid,
    domainName: aString,
    status: one('pending', 'verified', 'failed'),
    createdAt: aTime,
    'verifiedAt?': aTime,
    'lastVerificationError?': aString,
  }),
  Certificate: object({
    id: aUuid,
    type: aString,
    status: one('issued', 'active', 'revoked'),
    signingRequestPem: aString,
    publicKeyFingerprint: aString,
    metadata: anyObject,
    createdAt: aTime,
    'notBefore?': aTime,
    'notAfter?': aTime,
    'activatedAt?': aTime,
    'revokedAt?': aTime,
  }),
  IssuedCertificate: object({
    certificate: { type: 'string', description: 'PEM.' },
    authority: { type: 'string', description: 'The certificate of the authority, in PEM.' },
  }),
  Endpoint: object({
    id: aUuid,
    endpoint: aString,
    status: one(...endpointStatuses),
    created_at: aTime,
    events: toListSchema(aString),
    hmac_configured: aFlag,
  }),
  Delivery: object(summary),
  Attempts: object({
    id: aUuid,
    delivery: object({ ...summary, body: aString }),
    attempts: toListSchema(
      object({
        ...attempt,
        attempt: aNumber,
        at: aTime,
        'fault?': aString,
        body: aString,
        headers: anyObject,
        'response?': receiverResponse,
      }),
    ),
  }),
  JournalEntry: object({
    number: aNumber,
    at: aTime,
    'operation?': aString,
    method: aString,
    path: aString,
    'idempotencyKey?': aString,
    'status?': aNumber,
    'fault?': {},
    'body?': {},
    ignored: {
      ...toListSchema(aString),
      description: 'The fields of the request that the sandbox ignores.',
    },
    bodyDigest: aString,
    'response?': {},
    'paymentId?': { ...aUuid, description: 'The id of the payment that the request is about.' },
  }),
  TimelineEntry: object({
    number: aNumber,
    at: { ...aTime, description: 'The sandbox time. For a clock change, the time before it.' },
    kind: one('request', 'fault', 'response', 'status', 'attempt', 'receipt', 'clock', 'control'),
    'paymentId?': aString,
    'request?': { type: 'integer', description: 'The number of the request in the journal.' },
    'method?': aString,
    'path?': aString,
    'operation?': aString,
    'idempotencyKey?': aString,
    'status?': {},
    'fault?': {},
    'phase?': aString,
    'isFirst?': {
      type: 'boolean',
      description: 'Whether this is the status that the payment was created with.',
    },
    'amount?': cents,
    'deliveryId?': aUuid,
    'endpointId?': aUuid,
    'event?': aString,
    'attempt?': aNumber,
    'delay?': aNumber,
    'state?': one(...deliveryStates),
    'error?': aString,
    'response?': receiverResponse,
    'by?': { type: 'integer', description: 'Milliseconds.' },
    'call?': aString,
    'args?': { type: 'array', items: {} },
  }),
  Clock: object({ now: aTime, frozen: aFlag }),
  PendingFault: object({ ...progress, operation: aString, phase: aString, fault: {}, delay: aNumber }),
  FiredFault: object({ id: {}, 'operation?': aString, phase: aString, fault: {} }),
  PendingDeliveryFault: object({
    ...progress,
    event: aString,
    endpoint: aString,
    fault: aString,
    delay: aNumber,
  }),
  FiredDeliveryFault: object({
    id: {},
    fault: aString,
    event: aString,
    endpointId: aString,
    deliveryId: aString,
    attempt: aNumber,
  }),
  Token: object({
    clientId: aString,
    issuedAt: aTime,
    expiresAt: aTime,
    state: one('valid', 'expired', 'revoked'),
  }),
  Scenario: object({
    id: aString,
    operation: aString,
    field: aString,
    value: aString,
    leadsTo: aString,
    constant: aString,
  }),
  SandboxDefault: object({
    topic: aString,
    default: aString,
    why: aString,
    'option?': aString,
    'fixed?': aString,
  }),
} as const satisfies Record<string, JsonSchema>;
