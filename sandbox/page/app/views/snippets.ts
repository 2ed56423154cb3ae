/** How the sandbox is called in several languages. The secret is in the variable that the client reads. */
interface Place {
  readonly baseUrl: string;
  readonly clientId: string;
}

/** The environment variable with the client's secret. */
export const secretVariable = 'PAYMENT_PLATFORM_CLIENT_SECRET';

/**
 * The order that every snippet pays. It is also the key: a snippet that is run again creates no second payment.
 */
const order = 'order-1042';

const typescript = ({ baseUrl, clientId }: Place) => `import { PaymentPlatform } from 'payment-platform';

const platform = new PaymentPlatform({
  baseUrl: '${baseUrl}',
  clientId: '${clientId}',
  clientSecret: process.env.${secretVariable},
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

const curl = ({ baseUrl, clientId }: Place) => `curl -sS '${baseUrl}/v1/payments' \\
  -H 'client-id: ${clientId}' \\
  -H "client-secret: $${secretVariable}" \\
  -H 'content-type: application/json' \\
  -H 'x-idempotency-key: ${order}' \\
  -d '${json}'`;

const python = ({ baseUrl, clientId }: Place) => `import json
import os
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
        "client-id": "${clientId}",
        "client-secret": os.environ["${secretVariable}"],
        "content-type": "application/json",
        "x-idempotency-key": "${order}",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;

const php = ({ baseUrl, clientId }: Place) => `<?php
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
        'client-id: ${clientId}',
        'client-secret: ' . getenv('${secretVariable}'),
        'content-type: application/json',
        'x-idempotency-key: ${order}',
    ],
    'content' => json_encode($payment),
    'ignore_errors' => true,
];
$context = stream_context_create(['http' => $options]);
echo file_get_contents('${baseUrl}/v1/payments', false, $context), PHP_EOL;`;

/** By the name of the language. Each makes a Pix of R$ 19.90. */
export const snippets: Readonly<Record<string, (place: Place) => string>> = {
  TypeScript: typescript,
  curl,
  Python: python,
  PHP: php,
};
