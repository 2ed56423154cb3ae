import { operationRecords } from '../../../test/operations/index.js';
import {
  describes,
  type Entry,
  notShown,
  ofKyc,
  ofOthers,
  ofPanel,
  ofPayer,
  ofProduct,
  ofReceiver,
  ofWallet,
  under,
  untried,
} from './entry.js';

const aPix = 'A Pix is created';
const aCard = 'A card in the response has brand and last4, and neither PAN, CVV, holder nor expiry';
const certificates = 'Each certificate of the list has its fields';
const domains = 'Each domain of the list has its fields';
const newDomain =
  'A new domain is pending, and has a verification file; registering it again changes nothing';
const endpoints = 'GET /v1/webhooks lists the endpoints, without their secrets';
const submitted = 'Onboarding returns 202; the same key and payload the same response; another payload 409';
const statusQuery = 'The status query has can_resubmit; documents are resent only when it is true';
const bankForms = 'Each field of the bank account has its form and its maximum length';
const upsells =
  'Replaying the origin returns the same upsell.token; replaying its charge the same transaction';
const pfRequired = 'Each required field of onboarding PF is required';
const keysAreUuids = 'The keys of sub-accounts and onboarding are UUIDs';
const signature = 'The signature is HMAC-SHA256 over timestamp.body';

/** The API docs' statements about resources and their states. */
const resourceEntries: readonly Entry[] = [
  ...under('What the service does', 'service', [
    ['Bodies are JSON', aPix],
    ['Registration and onboarding of sub-accounts are forms', submitted],
    ['It makes payments by Pix', aPix],
    ['It makes payments by credit card', aCard],
    ['It makes payments by boleto', 'A boleto is created, and its PDF is read'],
    ['A card is open data, a vault token or an upsell token', [aCard, upsells]],
    ['A card can be a token of a wallet', ofWallet],
    ['Onboarding exists for natural persons', submitted],
    ['Onboarding exists for legal entities', 'Onboarding PJ returns 202 with registration_id and status'],
    ['Onboarding is asynchronous', submitted],
    ['Documents can be resent after a rejection', ofKyc],
    ['Registration data can be updated', 'An update of one field is accepted'],
    ['A withdrawal can be read', 'A withdrawal of another account is not found'],
    ['A payment can name an owner sub-account and split rules', ofProduct],
    ['Split needs the products PaaS and Split', ofProduct],
    ['It registers domains', newDomain],
    ['It manages certificates', certificates],
    ['Google Pay comes later', describes],
    [
      'It sends webhooks by POST with a JSON body',
      'A delivery is a POST with a JSON body that has the field event',
    ],
    ['It has an endpoint that tokenizes', 'POST /v1/vault/tokenize exists'],
  ]),
  ...under('Resources and their fields', 'conventions', [
    ['Ids are UUIDs', [aPix, endpoints, newDomain]],
    ['Timestamps are ISO 8601 in UTC', [aPix, endpoints, newDomain]],
    ['Amounts are integers in cents', [aPix, 'The amount is an integer']],
  ]),
  ...under('Payment', 'payment', [
    ['id identifies the payment, a UUID', aPix],
    ['status is one of five', aPix],
    ['amount is in cents', aPix],
    ['paymentMethod equals the one in the request', aPix],
    ['createdAt is a timestamp', aPix],
    ['externalReference echoes externalId', aPix],
    ['card has brand and last4 where both are stored', aCard],
    [
      'card is absent for Pix and boleto',
      [aPix, 'A Pix and a boleto have no card and no upsell, and no refusal'],
    ],
    ['card contains only wallet.type for a wallet', ofWallet],
    ['card never has PAN, CVV, holder, expiry or BIN', aCard],
    [
      'customer is present when available, null where unknown',
      'The customer in a response has every field, and an unknown one is null',
    ],
    ['The address of a customer has seven fields', notShown],
    ['items equal the items in the request', aPix],
    ['upsell.token is issued for an approved open card', upsells],
    [
      'upsell is absent for a vault token',
      'A vault charge needs no customer, and refuses one; it has no upsell token',
    ],
    ['upsell is absent for an upsell token', 'A charge with an upsell token gets no new upsell token'],
    [
      'A missing upsell token does not mean that the payment failed',
      untried('A token that is missing proves nothing.'),
    ],
    ['An upsell token is valid for 15 minutes', untried('A check does not wait for 15 minutes.')],
    ['An upsell token is used as card.upsellToken', upsells],
    [
      'A notification of a boleto has boleto.digitableLine',
      'The payload of a boleto has boleto.digitableLine, and neither url nor barcode',
    ],
    [
      'It has neither url nor barcode',
      'The payload of a boleto has boleto.digitableLine, and neither url nor barcode',
    ],
    [
      'The refusal reason is present only when refused',
      untried('It needs a card that this platform refuses.'),
    ],
    ['It shows public data of the owner sub-account', ofProduct],
    ['It shows the resolved split in cents', ofProduct],
    ['The names of the last three are open', notShown],
  ]),
  ...under('Certificate', 'certificate', [
    ['id is a UUID', certificates],
    ['type is apple_pay_payment_processing', certificates],
    ['status is issued, active or revoked', certificates],
    ['signingRequestPem is a CSR in PEM', certificates],
    ['publicKeyFingerprint is SHA-256 in base64', certificates],
    ['notBefore and notAfter are timestamps', certificates],
    ['activatedAt and revokedAt are timestamps', certificates],
    ['metadata has what belongs to the type', ofWallet],
    ['createdAt is a timestamp', certificates],
  ]),
  ...under('Payment-method domain', 'domain', [
    ['id is a UUID', [domains, newDomain]],
    ['domainName is a hostname', 'domainName is a hostname: required, without port, path or user'],
    ['It has no scheme', 'domainName has no scheme'],
    ['It has at most 255 characters', 'domainName has at most 255 characters'],
    ['Subdomains count separately', newDomain],
    ['status is pending, verified or failed', domains],
    ['verifiedAt is a timestamp', domains],
    ['lastVerificationError is text', domains],
    ['createdAt is a timestamp', domains],
    ['verificationFile has path and content, in the response to a registration', newDomain],
    ['verificationFile.path is the Apple Pay path', newDomain],
  ]),
  ...under('Webhook endpoint', 'endpoint', [
    [
      'id is used in an update',
      'An update without hmac_secret keeps the secret, null removes it, a string sets it',
    ],
    ['endpoint is the registered URL', endpoints],
    ['status is one of four', endpoints],
    ['created_at is a timestamp', endpoints],
    ['events are the subscribed names', endpoints],
    [
      'hmac_configured tells of a secret',
      'An update without hmac_secret keeps the secret, null removes it, a string sets it',
    ],
    ['The secret is never returned', endpoints],
  ]),
  ...under('Onboarding registration', 'registration', [
    ['registration_id is a UUID', submitted],
    ['status is text after a submission', submitted],
    ['can_resubmit is in the status query', statusQuery],
    ['Documents are resent only when it is true', statusQuery],
    ['Other fields are open', notShown],
  ]),
  ...under('Bank account object', 'bank', [
    ['All seven fields are required', 'Every field of the bank account is required'],
    ['All are text', bankForms],
    ['bankAccountType is one of two', bankForms],
    ['bankName has at most 100 characters', bankForms],
    ['bankCode is 3 digits', bankForms],
    ['bankAgency has at most 20 characters', bankForms],
    ['bankAccount has at most 30 characters', bankForms],
    ['bankAccountDv has at most 5 characters', bankForms],
    ['ispb is 8 digits', bankForms],
  ]),
  ...under('Withdrawal', 'withdrawal', [
    ['withdraw_id is an integer', notShown],
    ['status is text, such as pending', notShown],
  ]),
  ...under('Sub-account', 'sub-account', [
    ['internalId is a UUID in paths', 'internalId of an update is a UUID, withdrawId an integer'],
    ['The key of onboarding PF is its externalId', ofKyc],
    ['Other fields are open', notShown],
  ]),
  ...under('Payment status', 'states', [
    ['There are five states', aPix],
    ['Events exist for three more', ofPayer],
    ['Transitions are open', notShown],
    ['issued becomes active by an activation with the issued certificate', ofWallet],
    ['An activation sets activatedAt', ofWallet],
    ['The certificate applies to new transactions at once', ofWallet],
    ['Any state becomes revoked', untried('It would end a certificate that is in use.')],
    ['A revocation sets revokedAt', untried('It would end a certificate that is in use.')],
    ['A revocation is idempotent', untried('It would end a certificate that is in use.')],
    ['A new domain is pending', newDomain],
    ['Registering it again changes nothing', newDomain],
    ['A verification that succeeds gives verified and verifiedAt', ofWallet],
    ['A verification that fails gives failed and an error', ofWallet],
    ['A submission returns 202', submitted],
    ['A resend returns 202', ofKyc],
    ['A resend is allowed after a rejection', ofKyc],
    ['An endpoint has four statuses', endpoints],
    ['What belongs to another merchant cannot be read', ofOthers],
  ]),
];

/** The API docs' statements about all endpoints: authentication, events, errors, limits, versions. */
const ruleEntries: readonly Entry[] = [
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
    ['Without a secret, the headers are missing', 'Without a secret a delivery has no signature headers'],
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
    [
      'The platform does not process a payment again after a timeout',
      untried('It needs a timeout inside the platform.'),
    ],
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

/** Every statement of the API docs. The records of the operations have those about endpoints. */
export const table: readonly Entry[] = [
  ...resourceEntries,
  ...Object.values(operationRecords).flatMap(({ section, statements }) =>
    statements === undefined ? [] : under(section, statements.prefix, statements.lines),
  ),
  ...ruleEntries,
];
