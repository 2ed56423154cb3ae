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

/** Writes JSON as a literal of a language: how it starts and ends objects and lists, and how it writes a field. */
interface Style {
  readonly indent: string;
  readonly object: readonly [start: string, end: string];
  readonly field: (name: string, value: string) => string;
  readonly text: (text: string) => string;
}

const typescriptStyle: Style = {
  indent: '  ',
  object: ['{', '}'],
  field: (name, value) => `${name}: ${value}`,
  text: quoted,
};

const phpStyle: Style = {
  indent: '    ',
  object: ['[', ']'],
  field: (name, value) => `${quoted(name)} => ${value}`,
  text: quoted,
};

const jsonStyle = (indent: string): Style => ({
  indent,
  object: ['{', '}'],
  field: (name, value) => `${JSON.stringify(name)}: ${value}`,
  text: JSON.stringify,
});

/** Columns of a list or an object that is written on one line. */
const widestLine = 58;

function literal(value: unknown, style: Style, margin = ''): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const [start, end] = isList ? ['[', ']'] : style.object;
  const write = (inner: string) =>
    Object.entries(value).map(([name, each]) =>
      isList ? literal(each, style, inner) : style.field(name, literal(each, style, inner)),
    );
  const space = start === '{' ? ' ' : '';
  const line = `${start}${space}${write('').join(', ')}${space}${end}`;
  if (line.length <= widestLine && !line.includes('\n')) return line;
  const inner = margin + style.indent;
  return `${start}\n${write(inner)
    .map((part) => `${inner}${part}`)
    .join(',\n')},\n${margin}${end}`;
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Also the idempotency key, so that running a snippet again creates no second payment. */
const order = 'order-1042';

const customer = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  document: { number: '12345678909', type: 'cpf' },
};

/** The other fields of each method. The card is the test card that the sandbox approves. */
const ofMethod: Readonly<Record<string, object>> = {
  pix: { customer },
  credit_card: {
    card: {
      number: '4111111111111111',
      cvv: '123',
      holderName: 'MARIA SILVA',
      expirationMonth: 12,
      expirationYear: 2035,
      installments: 1,
    },
    customer,
  },
};

const payload = (paymentMethod: string) => ({
  externalId: order,
  amount: 1990,
  paymentMethod,
  ...ofMethod[paymentMethod],
  items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
});

type Payload = ReturnType<typeof payload>;

type Write = (place: ConnectionTarget, payment: Payload) => string;

const typescript: Write = (
  { baseUrl, clientId, clientSecret },
  payment,
) => `import { PaymentPlatform } from 'payment-platform';

const platform = new PaymentPlatform({
  baseUrl: '${baseUrl}',
  clientId: ${quoted(clientId)},
  clientSecret: ${quoted(clientSecret)},
});
const payment = await platform.payments.create(
  ${literal(payment, typescriptStyle, '  ')},
  { idempotencyKey: '${order}' },
);
console.log(payment.id, payment.status);`;

const curl: Write = ({ baseUrl, clientId, clientSecret }, payment) => `curl -sS '${baseUrl}/v1/payments' \\
  -H ${shellQuoted(`client-id: ${clientId}`)} \\
  -H ${shellQuoted(`client-secret: ${clientSecret}`)} \\
  -H 'content-type: application/json' \\
  -H 'x-idempotency-key: ${order}' \\
  -d '${literal(payment, jsonStyle('  ')).replace(/,(?=\n\s*[}\]])/g, '')}'`;

const python: Write = ({ baseUrl, clientId, clientSecret }, payment) => `import json
import urllib.request

payment = ${literal(payment, jsonStyle('    '))}
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

const php: Write = ({ baseUrl, clientId, clientSecret }, payment) => `<?php
$payment = ${literal(payment, phpStyle)};
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

const languages: Readonly<Record<string, Write>> = { TypeScript: typescript, curl, Python: python, PHP: php };

/** The languages of the snippets. */
export const snippetLanguages = Object.keys(languages);

/** Writes a program that creates a payment of R$ 19,90. */
export const writeSnippet = (language: string, place: ConnectionTarget, paymentMethod: string): string =>
  languages[language]?.(place, payload(paymentMethod)) ?? '';
