import { describes, type Entry, notShown, ofKyc, ofProduct, ofWallet, under, untried } from './entry.js';

const submitted = 'Onboarding answers 202; the same key and payload the same response; another payload 409';
const pfRequired = 'Each required field of onboarding PF is required';
const pfLength = 'Each field of onboarding PF has its maximum length';
const pfForms = 'The fields of onboarding PF have their forms';
const identity = 'An identity document is required';
const pj = 'Onboarding PJ answers 202 with registration_id and status';
const updateLength = 'Each field of an update has its maximum length';
const keysAreUuids = 'The keys of sub-accounts and onboarding are UUIDs';
const newDomain =
  'A new domain is pending, and has a verification file; registering it again changes nothing';
const registration = 'A registration has an HTTPS URL, a list of events, and a secret that is text';
const secretRules = 'An update without hmac_secret keeps the secret, null removes it, a text sets it';
const wallet = 'A wallet is sent alone, and only with credit_card';
const openCard = 'An open card needs number, cvv, holderName, expirationMonth and expirationYear';
const upsells =
  'Replaying the origin returns the same upsell.token; replaying its charge the same transaction';
const signature = 'The signature is HMAC-SHA256 over timestamp.body';
const optional = 'A Pix has an expiration in seconds, a boleto a due date';

/** The API docs' statements about their endpoints. */
export const endpointEntries: readonly Entry[] = [
  ...under('POST /v1/payments', 'create', [
    ['It makes a payment', 'A Pix is created'],
    ['The key is optional', 'Without the header every request creates a new charge'],
    [
      'The key has at most 255 characters',
      ['x-idempotency-key has at most 255 characters', 'A key of 255 characters is accepted'],
    ],
    ['A UUID is recommended as key', describes],
    ['externalId is echoed', 'A Pix is created'],
    [
      'amount is an integer',
      ['The amount is an integer', 'amount, paymentMethod and items are of their types'],
    ],
    ['amount is at least 100', ['The amount is at least 100 cents', '100 and 15000000 cents are accepted']],
    [
      'amount is at most 15000000',
      ['The amount is at most 15000000 cents', '100 and 15000000 cents are accepted'],
    ],
    [
      'paymentMethod is one of three',
      ['paymentMethod is pix, credit_card or boleto', 'amount, paymentMethod and items are of their types'],
    ],
    ['A Pix requires a customer', 'A Pix needs a customer'],
    ['An open card requires a customer', 'An open card needs a customer'],
    [
      'A vault charge has no customer',
      'A vault charge needs no customer, and refuses one; it has no upsell token',
    ],
    ['An upsell charge has no customer', 'A charge on an upsell token has no customer'],
    ['There is at least one item', 'A payment has at least one item'],
    ['An item has title, quantity and unitPrice', 'An item has a title, a quantity and a unitPrice'],
    ['subMerchant is an active, registered sub-account', 'The owner sub-account must be registered'],
    ['It becomes the owner of the split; else the merchant is', ofProduct],
    ['Split rules have at least one entry', 'Split rules have at least one entry'],
    ['Split rules divide the net amount', ofProduct],
    ['Split rules need PaaS and Split', ofProduct],
    ['card has exactly one of three modes', 'Card modes are never mixed'],
    ['card and wallet exclude each other', wallet],
    ['A wallet is valid only with credit_card', wallet],
    ['A wallet needs neither CVV nor 3DS', ofWallet],
    ['A result of 3DS can be sent', notShown],
    ['The IP of the payer can be sent', notShown],
    ['A statement descriptor can be sent', notShown],
    ['Metadata can be sent', notShown],
    ['Pix options have an expiration in seconds', optional],
    ['A Pix is valid for 1800 seconds by default', untried('No answer shows when a Pix ends.')],
    ['boleto options have a due date', optional],
    [
      'A boleto is due after 30 days by default',
      untried('No answer shows the due date; the PDF is not read.'),
    ],
    ['boleto options are valid only with boleto', 'boleto options are valid only with boleto'],
    ['An open card has number and cvv', openCard],
    ['An open card has holderName, expirationMonth and expirationYear', openCard],
    ['installments is an integer', notShown],
    ['An approved open card returns upsell.token', upsells],
    [
      'A vault card is cardTokenId alone',
      ['Card modes are never mixed', 'Unknown card tokens and upsell tokens are refused'],
    ],
    [
      'An upsell token is of an earlier approved payment',
      'Unknown card tokens and upsell tokens are refused',
    ],
    ['An upsell charge has no PAN and no CVV', 'Card modes are never mixed'],
    ['An upsell charge has no threeDSData', notShown],
    ['The answer is the payment', 'A Pix is created'],
    ['The status of success is open', 'The answer to a creation has the status 201'],
  ]),
  ...under('GET /v1/payments/{id}/boleto', 'boleto', [
    ['It returns the PDF', 'A boleto is created, and its PDF is read'],
    ['Its shape is open', notShown],
  ]),
  ...under('POST /v1/submerchants', 'submerchant', [
    [
      'It makes a sub-account from a form',
      'Sub-account creation: the same key and payload the same response; another payload 409',
    ],
    ['The key is required', 'The key is required on POST /v1/submerchants'],
    ['The key is a UUID', keysAreUuids],
    [
      'documentNumber, documentType and phone are fields',
      'Sub-account creation: the same key and payload the same response; another payload 409',
    ],
  ]),
  ...under('PATCH /v1/submerchants/{internalId}', 'update', [
    ['Only what changes is sent', 'An update of one field is accepted'],
    ['It cannot change the status', 'An update cannot change the status or bank data'],
    ['It cannot change bank data', 'An update cannot change the status or bank data'],
    ['internalId is a UUID', 'internalId of an update is a UUID, withdrawId an integer'],
    ...[
      'url',
      'phone',
      'addressZipCode',
      'addressStreet',
      'addressStreetNumber',
      'addressComplement',
      'addressNeighborhood',
      'addressCity',
      'addressState',
      'addressCountry',
    ].map((name) => [`${name} has its maximum length`, updateLength] as const),
    ['A success means that it was updated', 'An update of one field is accepted'],
    ['Updates of fees and bank account exist', notShown],
  ]),
  ...under('POST /v2/submerchants/onboarding/pf', 'pf', [
    ['The key is required', 'The key is required on onboarding PF'],
    ['The key is a UUID', keysAreUuids],
    ['document is required', 'The document is required'],
    ['document is a CPF of 11 digits', pfForms],
    ['fullName is required, at most 255', [pfRequired, pfLength]],
    ['birthDate is required, YYYY-MM-DD', [pfRequired, pfForms]],
    ['email is optional', submitted],
    ['email is an e-mail', pfForms],
    ['phone is required, E.164', [pfRequired, pfForms]],
    ['addressZipCode is required, at most 10', [pfRequired, pfLength]],
    ['addressStreet is required, at most 255', [pfRequired, pfLength]],
    ['addressNumber is required, at most 20', [pfRequired, pfLength]],
    ['addressComplement is optional, at most 255', [submitted, pfLength]],
    ['addressNeighborhood is required, at most 100', [pfRequired, pfLength]],
    ['addressCity is required, at most 100', [pfRequired, pfLength]],
    ['addressState is required, 2 characters', [pfRequired, pfLength]],
    ['bankAccount is required', pfRequired],
    [
      'bankAccount is JSON in a text field',
      ['Each field of the bank account has its form and its maximum length', submitted],
    ],
    ['documentoFrente comes with documentoVerso', 'The front of the identity card needs its back'],
    [
      'cnhCompleta is the alternative',
      [submitted, 'The front and the back of the identity card are accepted in place of the licence'],
    ],
    ['One of both is required', identity],
    ['selfie is required', 'The selfie is required'],
    ['selfieComDocumento is not used', 'selfieComDocumento is not taken for the selfie'],
    ['It answers 202 with registration_id and status', submitted],
  ]),
  ...under('POST /v2/submerchants/onboarding/pj', 'pj', [
    ['The key is required', keysAreUuids],
    ['It takes the fields and files of a legal entity', pj],
    ['It answers 202 with registration_id and status', pj],
    ['What is required is open', notShown],
  ]),
  ...under('GET /v2/submerchants/onboarding/{registrationId}/status', 'status', [
    ['It has can_resubmit', 'The status query has can_resubmit; documents are resent only when it is true'],
    ['An unknown registration has none', 'The status of an unknown registration cannot be read'],
  ]),
  ...under('POST /v2/submerchants/onboarding/{registrationId}/resend-documents', 'resend', [
    [
      'Only when can_resubmit is true',
      'The status query has can_resubmit; documents are resent only when it is true',
    ],
    ['It takes four files', ofKyc],
    ['It answers 202', ofKyc],
  ]),
  ...under('Withdrawals', 'withdrawals', [
    ['A POST makes one', notShown],
    ['withdrawId is an integer', 'internalId of an update is a UUID, withdrawId an integer'],
    ['A GET has withdraw_id and status', notShown],
    ['Of another account: 404', 'A withdrawal of another account is not found'],
  ]),
  ...under('POST /v1/payment-method-domains', 'register', [
    [
      'domainName is required, at most 255, a hostname',
      [
        'domainName is a hostname: required, without port, path or user',
        'domainName has at most 255 characters',
        'domainName has no scheme',
      ],
    ],
    ['It answers the domain', newDomain],
    ['It is idempotent', newDomain],
    ['A new record is pending', newDomain],
  ]),
  ...under('GET /v1/payment-method-domains', 'domains', [
    [
      'It answers data, a list of domains',
      [
        'GET /v1/payment-method-domains answers an object with a data array',
        'Each domain of the list has its fields',
      ],
    ],
    ['The operation that validates is open', notShown],
  ]),
  ...under('Certificates', 'certificates', [
    [
      'The list has data, certificates',
      [
        'GET /v1/certificates answers an object with a data array',
        'Each certificate of the list has its fields',
      ],
    ],
    ['It is filtered by the type', 'The list of certificates is filtered by type'],
    ['An activation needs the certificate', 'certificate is required to activate one'],
    ['It is PEM or base64 of the .cer file', ofWallet],
    ['An activation answers the active certificate', ofWallet],
    ['A revocation has no body, and answers the certificate', 'An unknown certificate cannot be revoked'],
    ['The operation that makes a record is open', notShown],
  ]),
  ...under('POST /v1/webhooks', 'webhook', [
    ['webhook_url is an HTTPS URL', ['The URL is https', registration]],
    ['events is a list of names', registration],
    [
      'hmac_secret is optional, 16 to 256 characters',
      ['hmac_secret has at least 16 characters', 'hmac_secret has at most 256 characters', registration],
    ],
    ['The secret is stored encrypted', untried('How it is stored is not seen from outside.')],
    ['With it every delivery is signed', signature],
    [
      'It answers the endpoint, never the secret',
      'A registration answers the endpoint without its secret, and the list has one item per URL',
    ],
  ]),
  ...under('PUT /v1/webhooks/{id}', 'webhook-update', [
    ['It changes an endpoint of the list', [secretRules, 'An unknown webhook cannot be changed']],
    ['A text sets the secret', secretRules],
    ['Without the field it stays', secretRules],
    ['null turns signing off', [secretRules, 'Without a secret a delivery has no signature headers']],
    ['The name of the URL is open', notShown],
  ]),
  ...under('GET /v1/webhooks', 'webhooks', [
    ['It lists the endpoints in data', 'GET /v1/webhooks lists the endpoints, without their secrets'],
    [
      'One item per URL',
      'A registration answers the endpoint without its secret, and the list has one item per URL',
    ],
    ['In every status', untried('No operation changes the status of an endpoint.')],
  ]),
  ...under('Vault', 'vault', [
    ['POST /v1/vault/tokenize exists', 'POST /v1/vault/tokenize exists'],
    ['Its shape is open', 'A vault charge needs no customer, and refuses one; it has no upsell token'],
  ]),
];
