/** How the sandbox is called in several languages. The secret is in the variable that the client reads. */
interface Place {
  readonly baseUrl: string;
  readonly clientId: string;
}

/** The environment variable from which the client reads its secret. */
export const secretVariable = 'PAYMENT_PLATFORM_CLIENT_SECRET';

const typescript = ({ baseUrl, clientId }: Place) => `import { PaymentPlatform } from 'payment-platform';

const platform = new PaymentPlatform({
  baseUrl: '${baseUrl}',
  clientId: '${clientId}',
  clientSecret: process.env.${secretVariable},
});
const payment = await platform.payments.create({
  amount: 1990,
  paymentMethod: 'pix',
  customer: {
    name: 'Maria Silva',
    email: 'maria@example.com',
    document: { number: '12345678909', type: 'cpf' },
  },
  items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
});
console.log(payment.id, payment.status);`;

const json = `{
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
  -H "x-idempotency-key: $(uuidgen)" \\
  -d '${json}'`;

const python = ({ baseUrl, clientId }: Place) => `import json
import os
import urllib.request
import uuid

payment = {
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
        "x-idempotency-key": str(uuid.uuid4()),
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))`;

const php = ({ baseUrl, clientId }: Place) => `<?php
$payment = [
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
        'x-idempotency-key: ' . bin2hex(random_bytes(16)),
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
