// Generated from the schemas of the contract by `npm run generate`. Not edited by hand.

/** The names by key. */
export const assumptions = {
  "payment.subMerchant.document": {
    "property": "document",
    "wire": "document",
    "in": [
      "request"
    ],
    "reason": "\"Identified by the CPF/CNPJ document\": the shape is that of `customer.document`."
  },
  "payment.subMerchant.document.number": {
    "property": "number",
    "wire": "number",
    "in": [
      "request"
    ],
    "reason": "As `customer.document.number`."
  },
  "payment.subMerchant.document.type": {
    "property": "type",
    "wire": "type",
    "in": [
      "request"
    ],
    "reason": "As `customer.document.type`."
  },
  "payment.split": {
    "property": "split",
    "wire": "split",
    "in": [
      "request",
      "response",
      "notification"
    ],
    "reason": "The request names the rules only \"split rules\"; the response lists a `split` object."
  },
  "payment.wallet": {
    "property": "wallet",
    "wire": "wallet",
    "in": [
      "request"
    ],
    "reason": "Called \"wallet block\"; the answer has `wallet.type` inside `card`."
  },
  "payment.threeDSData": {
    "property": "threeDSData",
    "wire": "threeDSData",
    "in": [
      "request"
    ],
    "reason": "The upsell rule names `threeDSData`; the table says only \"3DS result\"."
  },
  "payment.clientIp": {
    "property": "clientIp",
    "wire": "clientIp",
    "in": [
      "request"
    ],
    "reason": "Called \"client IP\"; camel case as the other payment fields."
  },
  "payment.statementDescriptor": {
    "property": "statementDescriptor",
    "wire": "statementDescriptor",
    "in": [
      "request"
    ],
    "reason": "Called \"statement descriptor\"; camel case as the other payment fields."
  },
  "payment.metadata": {
    "property": "metadata",
    "wire": "metadata",
    "in": [
      "request"
    ],
    "reason": "Called \"metadata\"."
  },
  "payment.pix": {
    "property": "pix",
    "wire": "pix",
    "in": [
      "request",
      "response",
      "notification"
    ],
    "reason": "Called \"Pix options\"; named after the payment method, with the documented `expiration` inside."
  },
  "payment.boleto": {
    "property": "boleto",
    "wire": "boleto",
    "in": [
      "request"
    ],
    "reason": "Called \"boleto options\" in the request; the answer and the notifications have `boleto`."
  },
  "payment.refusalReason": {
    "property": "refusalReason",
    "wire": "refusalReason",
    "in": [
      "response",
      "notification"
    ],
    "reason": "Called \"refusal reason\"; camel case as the other payment fields."
  },
  "payment.subMerchant": {
    "property": "subMerchant",
    "wire": "subMerchant",
    "in": [
      "response",
      "notification"
    ],
    "reason": "The request has `subMerchant`; the answer says only \"owner sub-account data\"."
  },
  "onboarding.status": {
    "property": "status",
    "wire": "status",
    "in": [
      "response"
    ],
    "reason": "Of the status query only `can_resubmit` is documented; the answers to submit and resend have `status` beside it."
  },
  "certificates.type": {
    "property": "type",
    "wire": "type",
    "in": [
      "query"
    ],
    "reason": "The filter of the list is documented without its name; its values are those of the field `type`."
  },
  "webhooks.webhook_url": {
    "property": "webhook_url",
    "wire": "webhook_url",
    "in": [
      "request"
    ],
    "reason": "The body of the creation has `webhook_url`; for the update the name is undocumented."
  },
  "oauth.grant_type": {
    "property": "grant_type",
    "wire": "grant_type",
    "in": [
      "request"
    ],
    "reason": "RFC 6749, 4.4.2: the API docs say client_credentials and give no name for it."
  },
  "oauth.access_token": {
    "property": "access_token",
    "wire": "access_token",
    "in": [
      "response"
    ],
    "reason": "RFC 6749, 5.1: the body of the answer is undocumented."
  },
  "oauth.expires_in": {
    "property": "expires_in",
    "wire": "expires_in",
    "in": [
      "response"
    ],
    "reason": "RFC 6749, 5.1: the body of the answer is undocumented; the lifetime is documented, 3600 seconds."
  },
  "response.requestId": {
    "property": "requestId",
    "wire": "x-request-id",
    "in": [
      "response-header"
    ],
    "reason": "No request identifier is documented; this is the header that most platforms send."
  }
} as const;
