import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { diagnose } from '../support/compile.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The compiler options of this repository. */
const strict = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };

/** Sources that are compiled together, which takes a third of the time. */
const files: Record<string, string> = {};
let printed: Record<string, string> = {};
beforeAll(() => {
  printed = diagnose(files, strict);
});

/** Returns the last line of the compiler's output, which states the reason. */
const reason = (printed: string | undefined) => printed?.trim().split('\n').at(-1)?.trim() ?? '';

describe('the types of a call', () => {
  const prelude = `
import type { Transport } from '../../src/transport/transport.js';
import type { Certificate, Payment, PixPayment } from '../../src/index.js';
declare const transport: Transport;
declare const pix: PixPayment;
`;
  const wrong: Record<string, readonly [code: string, message: RegExp]> = {
    'a body with a field of another type': [
      `transport.call('payments.create', { body: { ...pix, amount: '19.90' } });`,
      /string' is not assignable to type 'number'/,
    ],
    'a missing body': [`transport.call('payments.create', {});`, /'body' is missing/],
    'the body of another operation': [
      `transport.call('payments.create', { body: { domainName: 'shop.example' } });`,
      /'domainName' does not exist/,
    ],
    'a form where JSON is sent': [
      `transport.call('payments.create', { form: pix });`,
      /not assignable to type '(undefined|never)'|'body' is missing/,
    ],
    'a misspelt parameter': [
      `transport.call('payments.boleto', { params: { idd: 'x' } });`,
      /'idd' does not exist/,
    ],
    'a parameter of another type': [
      `transport.call('payments.boleto', { params: { id: 1 } });`,
      /number' is not assignable to type 'string'/,
    ],
    'missing parameters': [`transport.call('certificates.revoke', {});`, /'params' is missing/],
    'parameters for a path that has none': [
      `transport.call('payments.create', { params: { id: 'x' }, body: pix });`,
      /not assignable to type '(undefined|never)'/,
    ],
    'a query that is not documented': [
      `transport.call('certificates.list', { query: { type: 'google_pay' } });`,
      /"google_pay"' is not assignable/,
    ],
    'the result of another operation': [
      `const list: Promise<{ data: Certificate[] }> = transport.call('payments.create', { body: pix }); void list;`,
      /'data' is missing in type 'Payment'/,
    ],
    'a result that the caller names': [
      `transport.call<{ data: Certificate[] }>('payments.create', { params: { idd: 1 } });`,
      /does not satisfy the constraint/,
    ],
    'an operation that does not exist': [
      `transport.call('payments.refund', {});`,
      /not assignable to parameter/,
    ],
    'an operation without a schema': [
      `import type { findSchemas } from '../../src/contract/schemas.js'; const id: Parameters<typeof findSchemas>[0] = 'payments.none'; void id;`,
      /not assignable to type/,
    ],
  };
  const right = `
const payment: Promise<Payment> = transport.call('payments.create', { body: pix });
const withdrawal = transport.call('submerchants.withdrawals.retrieve', { params: { withdrawId: 1 } });
const list: Promise<{ data: Certificate[] }> = transport.call('certificates.list', { query: {} });
void [payment, withdrawal, list];`;
  const names = Object.keys(wrong);
  const path = (name: string) => `test/types/call-${names.indexOf(name)}.ts`;
  for (const name of names) files[path(name)] = `${prelude}${wrong[name]?.[0]}\n`;
  files['test/types/call-right.ts'] = prelude + right;

  test.each(Object.entries(wrong))('reject %s', (name, [, message]) => {
    expect(printed[path(name)]).toMatch(message);
  });

  test('accept correct calls', () => {
    expect(printed['test/types/call-right.ts']).toBe('');
  });
});

describe('the schemas’ types', () => {
  const edits: readonly (readonly [what: string, file: string, from: string, to: string, message: RegExp])[] =
    [
      [
        'a missing field in a request',
        'payments',
        '      externalId: z.optional(z.string()),\n',
        '',
        /externalId is not in the schema/,
      ],
      [
        'a missing field in a response',
        'payments',
        '      upsell: z.optional(z.strictObject({ token: z.string() })),\n',
        '',
        /upsell is not in the schema/,
      ],
      [
        'an additional field',
        'payments',
        '  externalId: z.optional(z.string()),',
        '  payee: z.optional(z.string()), externalId: z.optional(z.string()),',
        /payee is not in the type/,
      ],
      [
        'a missing field in an object whose fields are all optional',
        'submerchants',
        'url: z.optional(text(255)),',
        '',
        /url is not in the schema/,
      ],
      ['a misspelt nested field', 'payments', 'last4: z', 'lastFour: z', /card\.last(4|Four) is not in the/],
      [
        'a field of another type',
        'payments',
        'createdAt: z.string()',
        'createdAt: z.boolean()',
        /createdAt has another type/,
      ],
      [
        'a list whose items have a field of another type',
        'payments',
        'quantity: integer',
        'quantity: z.string()',
        /items\[\]\.quantity has another type/,
      ],
      [
        'a missing documented value',
        'payments',
        'z.enum(paymentMethods)',
        "z.enum(['pix', 'credit_card'])",
        /paymentMethod has another type/,
      ],
      [
        'a required field as optional',
        'payments',
        'id: uuid,',
        'id: z.optional(uuid),',
        /id is optional in the schema/,
      ],
      [
        'an optional field as required',
        'submerchants',
        'url: z.optional(text(255))',
        'url: text(255)',
        /url is required in the schema/,
      ],
      [
        'a nullable field that can no longer be null',
        'webhooks',
        'z.optional(z.nullable(signingSecret()))',
        'z.optional(signingSecret())',
        /hmac_secret cannot be null/,
      ],
      ['a missing schema of a response', 'domains', 'response: domain(),', '', /'response' is missing/],
      [
        'the schema of a query that the operation does not have',
        'vault',
        'request: secret(object)',
        'request: secret(object), query: object',
        /not assignable to type 'never'/,
      ],
    ];
  const file = (folder: string, index: number | string) => `src/contract/${folder}/schemas-${index}.ts`;
  const edited = edits.map(([, folder, from, to], index) => {
    const source = read(`src/contract/${folder}/schemas.ts`);
    return [file(folder, index), source.replace(from, to), source.includes(from)] as const;
  });
  const unchanged = Object.fromEntries(
    [...new Set(edits.map(([, folder]) => folder))].map((folder) => [
      file(folder, 'unchanged'),
      read(`src/contract/${folder}/schemas.ts`),
    ]),
  );
  Object.assign(files, unchanged, Object.fromEntries(edited.map(([path, text]) => [path, text])));

  test.each(edits.map(([what, , , , message], index) => [what, message, index] as const))(
    'reject %s',
    (_what, message, index) => {
      const [path, , isEdited] = edited[index] ?? ['', '', false];
      expect(isEdited).toBe(true);
      expect(printed[path]).toMatch(message);
    },
  );

  test.each(Object.keys(unchanged))('accept %s unchanged', (path) => {
    expect(reason(printed[path])).toBe('');
  });
});

describe('the types of the tables that read options', () => {
  /** Lists every file with a table of readers. A table ends with a brace at the start of a line. */
  const sources = ['src', 'sandbox']
    .flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((name) => name.endsWith('.ts'))
    .filter((path) => /^(?:export )?const \w+: OptionReaders</m.test(read(path)));
  /** Lists a table's entries, whether the table spans several lines or one. */
  const listEntries = (body: string) =>
    body.startsWith('\n')
      ? body.split(/^(?= {2}\w)/m).filter((entry) => /^ {2}\w/.test(entry))
      : body.split(/(?<=,)/).filter((entry) => /^ \w/.test(entry));
  const tables = sources.flatMap((path) => {
    const text = read(path);
    const found = text.matchAll(
      /^(?:export )?const (\w+): OptionReaders<.*?> = \{((?:\n[\s\S]*?^)|[^\n]*?)\};/gm,
    );
    return [...found].flatMap(({ 0: whole, 1: name = '', 2: body = '' }) =>
      listEntries(body).map((entry) => {
        const option = /\w+/.exec(entry)?.[0] ?? '';
        return { path, name, option, text: text.replace(whole, whole.replace(entry, '')) };
      }),
    );
  });
  const copy = (index: number) => tables[index]?.path.replace(/\.ts$/, `-without-${index}.ts`) ?? '';
  tables.forEach(({ text }, index) => {
    files[copy(index)] = text;
  });

  test('are tested with more than 60 tables from every source file that reads options', () => {
    const found = sources.map((path) => tables.filter((table) => table.path === path).length);
    expect(found.every((entries) => entries > 0)).toBe(true);
    for (const path of [
      'src/options.ts',
      'src/transport/prepare/call-options.ts',
      'sandbox/faults/request-faults.ts',
    ])
      expect(sources).toContain(path);
    expect(tables.length).toBeGreaterThan(60);
  });

  test.each(tables.map(({ path, name, option }, index) => [path, name, option, index] as const))(
    'reject the table in %s (%s) if it lacks the option %s',
    (_path, _name, option, index) => {
      expect(printed[copy(index)]).toContain(`'${option}' is missing`);
    },
  );
});

describe('the payment methods of a response', () => {
  const path = 'test/types/payment-methods.ts';
  files[path] = `
import type { CreatePayment, Open, PaymentMethod } from '../../src/index.js';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const isEqual: Equal<PaymentMethod, Open<CreatePayment['paymentMethod']>> = true;
`;
  test('equal the methods of the requests, and allow an unknown string', () => {
    expect(printed[path]).toBe('');
  });
});
