// Generated from the schemas of the contract by `npm run generate`. Not edited by hand.

/** The names by key. */
export const assumptions = {
  "payment.subMerchant.document": {
    "property": "document",
    "wire": "document",
    "in": [
      "request"
    ],
    "reason": "The API docs say \"identified by the CPF/CNPJ document\". The SDK uses the shape of `customer.document`."
  },
  "payment.subMerchant.document.number": {
    "property": "number",
    "wire": "number",
    "in": [
      "request"
    ],
    "reason": "The SDK uses the name from `customer.document.number`."
  },
  "payment.subMerchant.document.type": {
    "property": "type",
    "wire": "type",
    "in": [
      "request"
    ],
    "reason": "The SDK uses the name of `customer.document.type`."
  },
  "payment.split": {
    "property": "split",
    "wire": "split",
    "in": [
      "request",
      "response",
      "notification"
    ],
    "reason": "For the request, the API docs mention only \"split rules\". For the response, they list a `split` object."
  },
  "payment.wallet": {
    "property": "wallet",
    "wire": "wallet",
    "in": [
      "request"
    ],
    "reason": "The API docs call this object the \"wallet block\". The response contains `wallet.type` inside `card`."
  },
  "payment.threeDSData": {
    "property": "threeDSData",
    "wire": "threeDSData",
    "in": [
      "request"
    ],
    "reason": "The upsell rule in the API docs uses `threeDSData`. The table says only \"3DS result\"."
  },
  "payment.clientIp": {
    "property": "clientIp",
    "wire": "clientIp",
    "in": [
      "request"
    ],
    "reason": "The API docs call this field \"client IP\". The SDK uses camel case, as in the other payment fields."
  },
  "payment.statementDescriptor": {
    "property": "statementDescriptor",
    "wire": "statementDescriptor",
    "in": [
      "request"
    ],
    "reason": "The API docs call this field \"statement descriptor\". The SDK uses camel case, as in the other payment fields."
  },
  "payment.metadata": {
    "property": "metadata",
    "wire": "metadata",
    "in": [
      "request"
    ],
    "reason": "The API docs call this field \"metadata\"."
  },
  "payment.pix": {
    "property": "pix",
    "wire": "pix",
    "in": [
      "request",
      "response",
      "notification"
    ],
    "reason": "The API docs call this object \"Pix options\". The SDK uses the payment method's name. The object's `expiration` field is documented."
  },
  "payment.boleto": {
    "property": "boleto",
    "wire": "boleto",
    "in": [
      "request"
    ],
    "reason": "In requests, the API docs call this field \"boleto options\". Notifications contain `boleto`."
  },
  "payment.refusalReason": {
    "property": "refusalReason",
    "wire": "refusalReason",
    "in": [
      "response",
      "notification"
    ],
    "reason": "The API docs call this field \"refusal reason\". The SDK uses camel case, as in the other payment fields."
  },
  "payment.subMerchant": {
    "property": "subMerchant",
    "wire": "subMerchant",
    "in": [
      "response",
      "notification"
    ],
    "reason": "The request uses `subMerchant`. For the response, the API docs say only \"owner sub-account data\"."
  },
  "onboarding.status": {
    "property": "status",
    "wire": "status",
    "in": [
      "response"
    ],
    "reason": "For the status query, the API docs name only `can_resubmit`. The responses to the submit and resend requests contain `status`."
  },
  "certificates.type": {
    "property": "type",
    "wire": "type",
    "in": [
      "query"
    ],
    "reason": "The API docs describe the filter without naming it. The filter accepts the same values as the certificate's `type` field."
  },
  "webhooks.webhook_url": {
    "property": "webhook_url",
    "wire": "webhook_url",
    "in": [
      "request"
    ],
    "reason": "The request that creates an endpoint uses `webhook_url`. For updates, the API docs do not name the field."
  },
  "oauth.grant_type": {
    "property": "grant_type",
    "wire": "grant_type",
    "in": [
      "request"
    ],
    "reason": "The name comes from RFC 6749, section 4.4.2. The API docs contain only the value client_credentials."
  },
  "oauth.access_token": {
    "property": "access_token",
    "wire": "access_token",
    "in": [
      "response"
    ],
    "reason": "The name comes from RFC 6749, section 5.1. The API docs do not describe the response body."
  },
  "oauth.expires_in": {
    "property": "expires_in",
    "wire": "expires_in",
    "in": [
      "response"
    ],
    "reason": "The name comes from RFC 6749, section 5.1. The API docs state only the lifetime, 3600 seconds."
  },
  "response.requestId": {
    "property": "requestId",
    "wire": "x-request-id",
    "in": [
      "response-header"
    ],
    "reason": "The API docs do not describe a request id. The x-request-id header is a common convention."
  }
} as const;
