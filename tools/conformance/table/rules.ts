import {
  describes,
  type Entry,
  notShown,
  ofOthers,
  ofPanel,
  ofPayer,
  ofProduct,
  ofReceiver,
  under,
  untried,
} from './entry.js';

const submitted = 'Onboarding returns 202; the same key and payload the same response; another payload 409';
const pfRequired = 'Each required field of onboarding PF is required';
const keysAreUuids = 'The keys of sub-accounts and onboarding are UUIDs';
const upsells =
  'Replaying the origin returns the same upsell.token; replaying its charge the same transaction';
const signature = 'The signature is HMAC-SHA256 over timestamp.body';

/** The API docs' statements about all endpoints: authentication, events, errors, limits, versions. */
export const ruleEntries: readonly Entry[] = [
  ...under('Authentication', 'auth', [
    [
      'Every request has both headers',
      [
        'Both headers are required on every call',
        'Every operation requires the headers',
        'client-id without client-secret is refused',
        'A wrong client-secret is refused',
      ],
    ],
    ['The secret never reaches a client', ofReceiver],
    [
      'The key is required on three operations',
      ['The key is required on POST /v1/submerchants', 'The key is required on onboarding PF', keysAreUuids],
    ],
    ['It is optional on payments', 'Without the header every request creates a new charge'],
    ['POST /oauth/token issues a token', 'POST /oauth/token takes the credentials in the body'],
    ['It expires after 3600 seconds', 'A token is valid for 3600 seconds'],
    ['Credentials are made in the panel, the secret is displayed once', ofPanel],
    [
      'They go in the body or in Authorization: Basic',
      ['POST /oauth/token takes the credentials in the body', 'A token is valid for 3600 seconds'],
    ],
    ['Wrong ones are refused', 'POST /oauth/token refuses wrong credentials'],
    ['The token is sent as Bearer', 'The token is sent as Authorization: Bearer'],
    ['Which endpoints accept it is open', notShown],
    ['Deliveries are authenticated by the signature', signature],
    [
      'A sub-account is reached by its merchant only',
      ['A sub-account of another merchant cannot be updated'],
    ],
  ]),
  ...under('Delivery', 'delivery', [
    ['An endpoint is bound to the organization of its credentials', ofOthers],
    ['It is subscribed to all types', untried('The document says both this and that events are listed.')],
    ['A delivery is a POST with JSON', 'A delivery is a POST with a JSON body that has the field event'],
    ['Its User-Agent is Service-Webhook/1.0', 'The User-Agent is Service-Webhook/1.0'],
    ['A 2xx confirms', 'A delivery that gets an error is sent again'],
    ['Another response is a failure', 'A delivery that gets an error is sent again'],
    [
      'No response within 30 seconds is a failure',
      untried('The delays are open: a later attempt would not tell when it failed.'),
    ],
    ['There are 3 resends with backoff', untried('The delays are open, so no time shows that none follows.')],
    ['The audience follows rules of the platform', ofProduct],
    ['A notification can come again', 'A delivery that gets an error is sent again'],
    ['Receivers are idempotent', ofReceiver],
    ['Every payload has event', 'A delivery is a POST with a JSON body that has the field event'],
    ['Receivers ignore unknown types', ofReceiver],
    ['New types do not come to old endpoints by themselves', describes],
  ]),
  ...under('Transaction events', 'events', [
    ['waiting_payment is sent', 'Each status change fires the specific and the generic event'],
    ...['paid', 'refused', 'refunded', 'chargedback', 'cancelled', 'expired', 'in_analysis'].map(
      (name) => [`${name} is sent`, ofPayer] as const,
    ),
    ['status.updated is sent for any change', 'Each status change fires the specific and the generic event'],
    [
      'Both come to an endpoint that lists both, and differ only in event',
      'The specific and the generic event differ only in the field event',
    ],
    [
      'A boleto has boleto.digitableLine, no url, no barcode',
      'The payload of a boleto has boleto.digitableLine, and neither url nor barcode',
    ],
  ]),
  ...under('Signature', 'signature', [
    ['Two headers carry timestamp and signature', signature],
    ['It is HMAC-SHA256 over timestamp.body', signature],
    ['Without a secret there are no such headers', 'Without a secret a delivery has no signature headers'],
    ['A receiver refuses more than 300 seconds, and another signature', ofReceiver],
    ['Encoding and unit are open', 'The signature is hexadecimal, and the timestamp in seconds'],
  ]),
  ...under('Errors', 'errors', [
    ['400: invalid data', pfRequired],
    [
      '401: credentials invalid or missing',
      ['Both headers are required on every call', 'A wrong client-secret is refused'],
    ],
    ['403: the feature is not enabled', ofProduct],
    ['404: a withdrawal of another account', 'A withdrawal of another account is not found'],
    [
      '409: a key with another payload, on sub-accounts',
      [submitted, 'Sub-account creation: the same key and payload the same response; another payload 409'],
    ],
    ['409: a payment with an unknown outcome', untried('No request makes an acquirer fail.')],
    ['429: too many requests', 'More than 10 calls a minute for sub-accounts get a 429'],
    [
      'The same key and payload on sub-accounts return the same response',
      [submitted, 'Sub-account creation: the same key and payload the same response; another payload 409'],
    ],
    [
      'On payments they return the existing transaction',
      'The same key and payload return the existing payment, without a new charge',
    ],
    [
      'When the original was not created, the payment is processed',
      untried('No request fails so that nothing was created.'),
    ],
    ['There is no reprocessing after a timeout', untried('It needs a timeout inside the platform.')],
    ['Without the header each request charges', 'Without the header every request creates a new charge'],
    ['Replaying the origin returns the same upsell.token', upsells],
    ['Replaying the upsell returns the same transaction', upsells],
    ['The shape of errors is open', notShown],
  ]),
  ...under('Limits', 'limits', [
    ['10 requests a minute for sub-accounts', 'More than 10 calls a minute for sub-accounts get a 429'],
    ['An earlier statement has 5', untried('It contradicts the first; a 429 after 5 calls holds both.')],
    ['30 requests a minute for the vault', 'More than 30 calls of the vault a minute get a 429'],
    [
      '3 endpoints per organization',
      untried('No operation removes an endpoint: the check would use up the limit.'),
    ],
  ]),
  ...under('Versioning', 'versions', [
    ['/v1 and /v2 are in the path', 'Every operation requires the headers'],
    ['OAuth is at /oauth/token', 'POST /oauth/token takes the credentials in the body'],
    ['The machine-readable description has version 1.0.0', untried('Its address is not shown.')],
    ['selfieComDocumento is gone', 'selfieComDocumento is not taken for the selfie'],
  ]),
];
