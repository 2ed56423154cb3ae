export interface ConnectionTarget {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The environment variable for a client's secret in production. */
export const secretVariable = 'PAYMENT_PLATFORM_CLIENT_SECRET';

/** Only copies contain the real secret. */
export const secretMask = '••••••••';

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Also the idempotency key, so that running a snippet again creates no second payment. */
const order = 'order-1042';

const typescript = ({
  baseUrl,
  clientId,
  clientSecret,
}: ConnectionTarget) => `import { PaymentPlatform } from 'payment-platform';

const platform = new PaymentPlatform({
  baseUrl: '${baseUrl}',
  clientId: ${quoted(clientId)},
  clientSecret: ${quoted(clientSecret)},
});
const payment = await platform.payments.create(
  {
    externalId: '${order}',
    amount: 1990,
    paymentMethod: 'pix',
    customer: {
      name: 'Maria Silva',
      email: 'maria@example.com',
      document: { number: '12345678909', type: 'cpf' },
    },
    items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
  },
  { idempotencyKey: '${order}' },
);
console.log(payment.id, payment.status);`;

const json = `{
  "externalId": "${order}",
  "amount": 1990,
  "paymentMethod": "pix",
  "customer": {
    "name": "Maria Silva",
    "email": "maria@example.com",
    "document": { "number": "12345678909", "type": "cpf" }
  },
  "items": [{ "title": "Book", "quantity": 1, "unitPrice": 1990 }]
}`;

const curl = ({ baseUrl, clientId, clientSecret }: ConnectionTarget) => `curl -sS '${baseUrl}/v1/payments' \\
  -H ${shellQuoted(`client-id: ${clientId}`)} \\
  -H ${shellQuoted(`client-secret: ${clientSecret}`)} \\
  -H 'content-type: application/json' \\
  -H 'x-idempotency-key: ${order}' \\
  -d '${json}'`;

const python = ({ baseUrl, clientId, clientSecret }: ConnectionTarget) => `import json
import urllib.request

payment = {
    "externalId": "${order}",
    "amount": 1990,
    "paymentMethod": "pix",
    "customer": {
        "name": "Maria Silva",
        "email": "maria@example.com",
        "document": {"number": "12345678909", "type": "cpf"},
    },
    "items": [{"title": "Book", "quantity": 1, "unitPrice": 1990}],
}
request = urllib.request.Request(
    "${baseUrl}/v1/payments",
    json.dumps(payment).encode(),
    {
        "client-id": ${JSON.stringify(clientId)},
        "client-secret": ${JSON.stringify(clientSecret)},
        "content-type": "application/json",
        "x-idempotency-key": "${order}",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;

const php = ({ baseUrl, clientId, clientSecret }: ConnectionTarget) => `<?php
$payment = [
    'externalId' => '${order}',
    'amount' => 1990,
    'paymentMethod' => 'pix',
    'customer' => [
        'name' => 'Maria Silva',
        'email' => 'maria@example.com',
        'document' => ['number' => '12345678909', 'type' => 'cpf'],
    ],
    'items' => [['title' => 'Book', 'quantity' => 1, 'unitPrice' => 1990]],
];
$options = [
    'method' => 'POST',
    'header' => [
        ${quoted(`client-id: ${clientId}`)},
        ${quoted(`client-secret: ${clientSecret}`)},
        'content-type: application/json',
        'x-idempotency-key: ${order}',
    ],
    'content' => json_encode($payment),
    'ignore_errors' => true,
];
$context = stream_context_create(['http' => $options]);
echo file_get_contents('${baseUrl}/v1/payments', false, $context), PHP_EOL;`;

/** Each creates a Pix of R$ 19,90. */
export const snippets: Readonly<Record<string, (place: ConnectionTarget) => string>> = {
  TypeScript: typescript,
  curl,
  Python: python,
  PHP: php,
};
