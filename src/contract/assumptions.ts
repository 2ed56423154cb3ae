/**
 * Every name that the API document leaves open, with the name the SDK uses on the wire instead and
 * the reason for it. The client option `fieldNames` overrides the wire side by the key given here.
 */
export interface Assumption {
  /** The name in the SDK. */
  readonly property: string;
  /** The name on the wire, unless `fieldNames` says otherwise. */
  readonly wire: string;
  readonly in: readonly ('request' | 'query' | 'response' | 'response-header')[];
  readonly reason: string;
}

export const assumptions = Object.freeze({
  'payment.split': {
    property: 'split',
    wire: 'split',
    in: ['request', 'response'],
    reason: 'The request names the rules only "split rules"; the response lists a `split` object.',
  },
  'payment.wallet': {
    property: 'wallet',
    wire: 'wallet',
    in: ['request'],
    reason: 'Called "wallet block"; the answer shows `wallet.type` inside `card`.',
  },
  'payment.threeDSData': {
    property: 'threeDSData',
    wire: 'threeDSData',
    in: ['request'],
    reason: 'The upsell rule names `threeDSData`; the table says only "3DS result".',
  },
  'payment.clientIp': {
    property: 'clientIp',
    wire: 'clientIp',
    in: ['request'],
    reason: 'Called "client IP"; camel case as the other payment fields.',
  },
  'payment.statementDescriptor': {
    property: 'statementDescriptor',
    wire: 'statementDescriptor',
    in: ['request'],
    reason: 'Called "statement descriptor"; camel case as the other payment fields.',
  },
  'payment.metadata': {
    property: 'metadata',
    wire: 'metadata',
    in: ['request'],
    reason: 'Called "metadata".',
  },
  'payment.pix': {
    property: 'pix',
    wire: 'pix',
    in: ['request'],
    reason: 'Called "Pix options"; named after the payment method, with `expiration` inside as shown.',
  },
  'payment.boleto': {
    property: 'boleto',
    wire: 'boleto',
    in: ['request'],
    reason: 'Called "boleto options" in the request; the answer and the notifications show `boleto`.',
  },
  'payment.refusalReason': {
    property: 'refusalReason',
    wire: 'refusalReason',
    in: ['response'],
    reason: 'Called "refusal reason"; camel case as the other payment fields.',
  },
  'payment.subMerchant': {
    property: 'subMerchant',
    wire: 'subMerchant',
    in: ['response'],
    reason: 'The request shows `subMerchant`; the answer says only "owner sub-account data".',
  },
  'onboarding.status': {
    property: 'status',
    wire: 'status',
    in: ['response'],
    reason:
      'The status query shows only `can_resubmit`; the answers to submit and resend show `status` beside it.',
  },
  'certificates.type': {
    property: 'type',
    wire: 'type',
    in: ['query'],
    reason: 'The filter of the list is shown without its name; its values are those of the field `type`.',
  },
  'webhooks.webhook_url': {
    property: 'webhook_url',
    wire: 'webhook_url',
    in: ['request'],
    reason: 'The body of the creation shows `webhook_url`; that of the update does not show the name.',
  },
  'oauth.grant_type': {
    property: 'grant_type',
    wire: 'grant_type',
    in: ['request'],
    reason: 'RFC 6749, 4.4.2: the document says client_credentials and shows no name for it.',
  },
  'oauth.access_token': {
    property: 'access_token',
    wire: 'access_token',
    in: ['response'],
    reason: 'RFC 6749, 5.1: the body of the answer is not shown.',
  },
  'oauth.expires_in': {
    property: 'expires_in',
    wire: 'expires_in',
    in: ['response'],
    reason: 'RFC 6749, 5.1: the body of the answer is not shown; the lifetime is, 3600 seconds.',
  },
  'response.requestId': {
    property: 'requestId',
    wire: 'x-request-id',
    in: ['response-header'],
    reason: 'No request identifier is shown; this is the header most platforms send.',
  },
} as const satisfies Record<string, Assumption>);

/** A key of the client option `fieldNames`. */
export type FieldName = keyof typeof assumptions;

/** Wire names by key, where they differ from the defaults. */
export type FieldNames = { readonly [Name in FieldName]?: string };

/** What the first half of a key may be, where it names bodies or a query. */
export type NameGroup = Exclude<FieldName extends `${infer Group}.${string}` ? Group : never, 'response'>;

/** The names that the document does show, by group: no override may take one of them. */
export const shownNames: Readonly<
  Record<NameGroup, { readonly request: readonly string[]; readonly response: readonly string[] }>
> = Object.freeze({
  payment: {
    request: ['externalId', 'amount', 'paymentMethod', 'customer', 'items', 'card', 'subMerchant'],
    response: [
      'id',
      'status',
      'amount',
      'paymentMethod',
      'createdAt',
      'externalReference',
      'card',
      'customer',
      'items',
      'upsell',
      'boleto',
    ],
  },
  onboarding: { request: [], response: ['registration_id', 'can_resubmit'] },
  certificates: { request: [], response: [] },
  webhooks: { request: ['events', 'hmac_secret'], response: [] },
  oauth: { request: ['client_id', 'client_secret'], response: [] },
});
