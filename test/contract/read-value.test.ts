import { describe, expect, test } from 'vitest';
import { shapes } from '../../src/contract/generated/shapes.js';
import { checkBody, issuesIn } from '../../src/contract/read-value.js';
import { RuntimeSchema } from '../../src/contract/runtime-schema.js';
import type { Issue } from '../../src/validation/issue.js';

/** Copies a value, and lists its issues. */
function copyValue(value: unknown): { copy: unknown; issues: readonly Issue[] } {
  const { value: copy, issues } = checkBody(value);
  return { copy, issues };
}

const circle = (): object => {
  const self: { inner?: object } = {};
  self.inner = { self };
  return self;
};

const nested = (levels: number): unknown => (levels === 0 ? 'end' : { a: nested(levels - 1) });

/** Imitates a database query, which runs when awaited. */
const thenable: object = Object.fromEntries([['then', () => 1]]);

describe('checkBody', () => {
  test.each([
    'text',
    '',
    true,
    false,
    0,
    -1.5,
    1990,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    null,
    undefined,
    [],
    {},
    [1, [2, { three: 3 }]],
    { a: { b: [null, 'c'] }, d: false },
  ])('copies %j unchanged', (value) => {
    expect(copyValue(value)).toEqual({ copy: value, issues: [] });
  });

  test('returns a copy that does not change when the caller changes the original', () => {
    const body = { list: [{ a: 1 }], inner: { b: 2 } };
    const { copy } = copyValue(body);
    body.list.push({ a: 2 });
    body.inner.b = 3;
    expect(copy).toEqual({ list: [{ a: 1 }], inner: { b: 2 } });
  });

  test('omits undefined from an object, and replaces it with null in an array', () => {
    expect(Object.keys(copyValue({ a: undefined, b: 1 }).copy as object)).toEqual(['b']);
    expect(copyValue([undefined, 1]).copy).toEqual([null, 1]);
    expect(copyValue(Object.assign([], { 1: 1 })).copy).toEqual([null, 1]);
  });

  test('unwraps String, Number and Boolean objects', () => {
    const wrapped = [new String('a'), new Number(7), new Boolean(false)];
    expect(copyValue({ wrapped })).toEqual({ copy: { wrapped: ['a', 7, false] }, issues: [] });
    expect(copyValue(new Number(Number.NaN)).issues).toEqual([
      { path: '', message: 'must be a finite number, not NaN' },
    ]);
  });

  test('returns the result of toJSON', () => {
    const date = new Date('2026-01-01T00:00:00Z');
    expect(copyValue({ at: date })).toEqual({ copy: { at: '2026-01-01T00:00:00.000Z' }, issues: [] });
    const money = {
      cents: 7,
      toJSON() {
        return this.cents;
      },
    };
    expect(copyValue([money]).copy).toEqual([7]);
    expect(copyValue({ toJSON: 'text' }).copy).toEqual({ toJSON: 'text' });
  });

  test('omits a field that is named __proto__', () => {
    const { copy } = copyValue(JSON.parse('{"__proto__":{"polluted":true},"a":1}'));
    expect(Object.keys(copy as object)).toEqual(['a']);
    expect((copy as { polluted?: boolean }).polluted).toBeUndefined();
  });

  const rejected: [string, unknown, string][] = [
    ['NaN', Number.NaN, 'must be a finite number, not NaN'],
    ['Infinity', Number.NEGATIVE_INFINITY, 'must be a finite number, not -Infinity'],
    ['2^53', 2 ** 53, 'must be a safe integer (up to 2^53 - 1)'],
    ['-2^53', -(2 ** 53), 'must be a safe integer (up to 2^53 - 1)'],
    ['a bigint', 1n, 'must be a number or a string, not a bigint'],
    ['a function', () => 1, 'cannot be sent as JSON, because it is a function'],
    ['a symbol', Symbol('s'), 'cannot be sent as JSON, because it is a symbol'],
    ['a Map', new Map(), 'must be a plain object, not an instance of Map'],
    [
      'a URLSearchParams',
      new URLSearchParams('amount=5'),
      'must be a plain object, not an instance of URLSearchParams',
    ],
    ['an ArrayBuffer', new ArrayBuffer(3), 'must be a plain object, not an instance of ArrayBuffer'],
    ['a bigint in an object', Object(1n), 'must be a plain object, not an instance of BigInt'],
    ['bytes', new Uint8Array(3), 'must be a plain object or an array, not bytes'],
    ['a DataView', new DataView(new ArrayBuffer(3)), 'must be a plain object or an array, not bytes'],
    ['a Set', new Set(), 'must be a plain object, not an instance of Set'],
    ['a Promise', Promise.resolve(1), 'is a Promise. Await it first'],
    ['a thenable', thenable, 'is a Promise. Await it first'],
    ['a thenable with toJSON', { ...thenable, toJSON: () => 1 }, 'is a Promise. Await it first'],
    ['an invalid date', new Date(Number.NaN), 'must be a valid date'],
  ];
  test.each(rejected)('rejects %s, and names its path', (_, value, message) => {
    expect(copyValue(value).issues).toEqual([{ path: '', message }]);
    expect(copyValue({ list: [0, { a: value }], b: value }).issues).toEqual([
      { path: 'list.1.a', message },
      { path: 'b', message },
    ]);
  });

  test('truncates the path of an issue after 200 characters', () => {
    const name = 'n'.repeat(150);
    expect(copyValue({ [name]: { [name]: 1n } }).issues[0]?.path).toBe(`${name}.${name}`.slice(0, 200));
  });

  test('does not treat a field named `then` as a Promise', () => {
    const body = JSON.parse('{"then":"later"}');
    expect(copyValue({ body })).toEqual({ copy: { body }, issues: [] });
  });

  test('rejects a circular reference, but not an object that occurs twice', () => {
    expect(copyValue(circle()).issues).toEqual([
      { path: 'inner.self', message: 'refers back to an object that contains it' },
    ]);
    const shared = { a: 1 };
    expect(copyValue([shared, shared, { shared }])).toEqual({
      copy: [{ a: 1 }, { a: 1 }, { shared: { a: 1 } }],
      issues: [],
    });
  });

  test('accepts at most 64 levels of nesting', () => {
    expect(copyValue(nested(64)).issues).toEqual([]);
    expect(copyValue(nested(65)).issues).toEqual([
      { path: 'a.'.repeat(64).slice(0, -1), message: 'is nested deeper than 64 levels' },
    ]);
  });

  test('accepts at most 100,000 values', () => {
    const list = (length: number) => Array.from({ length }, () => 1);
    const message = 'holds more than 100000 values';
    expect(copyValue(list(99_999)).issues).toEqual([]);
    expect(copyValue(list(100_000))).toEqual({ copy: undefined, issues: [{ path: '', message }] });
    expect(copyValue([list(50_000), list(49_997)]).issues).toEqual([]);
    expect(copyValue([list(50_000), list(49_998)]).issues).toEqual([{ path: '', message }]);
    expect(copyValue({ a: list(99_998) }).issues).toEqual([]);
    const fields = Object.fromEntries(list(100_000).map((_, index) => [`f${index}`, 1]));
    expect(copyValue(fields)).toEqual({ copy: undefined, issues: [{ path: '', message }] });
  });

  test('rejects a long sparse array', () => {
    const holes: unknown[] = [];
    holes[1_700_000_000] = 1;
    expect(copyValue({ holes })).toEqual({
      copy: undefined,
      issues: [{ path: '', message: 'holds more than 100000 values' }],
    });
  });
});

const text = new RuntimeSchema('string');
const least = (length: number, message: string) =>
  [(value: string) => value.length >= length, message] as const;
const order = new RuntimeSchema('object', {
  fields: {
    amount: new RuntimeSchema('integer', {
      otherType: (value) => (value === 'ten' ? 'is the text ten' : undefined),
    }),
    method: new RuntimeSchema('one of', { values: ['pix', 'boleto'] }),
    note: new RuntimeSchema('string', { isOptional: true, normalize: (input) => input.trim() }),
    code: new RuntimeSchema('string', {
      isOptional: true,
      isNullable: true,
      rules: [[...least(1, 'must not be empty'), true], least(2, 'is short'), least(3, 'is very short')],
    }),
    list: new RuntimeSchema('array', { isOptional: true, entries: text }),
  },
});
const valid = { amount: 10, method: 'pix' };

describe('checkBody with a shape', () => {
  const listIssues = (value: unknown, shape = order) =>
    checkBody(value, shape).issues.map(({ path, message }) => `${path} ${message}`);

  test.each([
    ['all required fields', valid, []],
    ['null in a nullable field', { ...valid, code: null }, []],
    ['null in another field', { ...valid, note: null }, ['note must be a string, not null']],
    ['a missing required field', {}, ['amount is required', 'method is required: one of pix, boleto']],
    ['a required field that is undefined', { ...valid, amount: undefined }, ['amount is required']],
    [
      'an unreadable value, which is not missing',
      { ...valid, amount: 1n },
      ['amount must be a number, not a bigint'],
    ],
    [
      'a similar name',
      { ...valid, amount: undefined, amoumt: 1 },
      ['amount is required. Rename amoumt to amount'],
    ],
    ['a value of the wrong type', { ...valid, amount: '10' }, ['amount must be a number, not a string']],
    ['a fraction', { ...valid, amount: 1.5 }, ['amount must be an integer, not a fraction']],
    ['a type with its own message', { ...valid, amount: 'ten' }, ['amount is the text ten']],
    ['a value that is not in the list', { ...valid, method: 'cash' }, ['method must be one of pix, boleto']],
    ['a value that is not a string', { ...valid, method: {} }, ['method must be one of pix, boleto']],
    ['an array for a string', { ...valid, note: [] }, ['note must be a string, not an array']],
    ['an object for an array', { ...valid, list: {} }, ['list must be an array, not an object']],
    ['a wrong entry', { ...valid, list: ['a', 7] }, ['list.1 must be a string, not an integer']],
    ['an undefined entry', { ...valid, list: [undefined] }, ['list.0 must be a string, not null']],
    ['an array for an object', [], [' must be an object, not an array']],
    ['a rule that skips the rules after it', { ...valid, code: '' }, ['code must not be empty']],
    ['two broken rules', { ...valid, code: 'a' }, ['code is short', 'code is very short']],
  ])('reports the issues of a body: %s', (_, value, expected) => expect(listIssues(value)).toEqual(expected));

  test('treats a field whose toJSON returns undefined as missing', () => {
    const nothing = { toJSON: () => undefined };
    expect(Object.keys(copyValue({ a: nothing, b: 1 }).copy as object)).toEqual(['b']);
    expect(listIssues({ ...valid, amount: nothing })).toEqual(['amount is required']);
  });

  test('names the check that requires a missing field if only the SDK requires it', () => {
    const shape = new RuntimeSchema('object', {
      fields: { a: new RuntimeSchema('string', { requiredBy: 'payment.required' }), b: text },
    });
    expect(checkBody({}, shape).issues).toStrictEqual([
      { path: 'a', message: 'is required', check: 'payment.required' },
      { path: 'b', message: 'is required' },
    ]);
  });

  test('reports a missing value as required, and lists the values that are possible', () => {
    expect(listIssues(undefined)).toEqual([' is required']);
    expect(listIssues(undefined, order.fields.method)).toEqual([' is required: one of pix, boleto']);
    expect(listIssues(undefined, order.fields.note)).toEqual([]);
    expect(listIssues('a', new RuntimeSchema('file'))).toEqual([' must be a file']);
  });

  test('suggests the correct name for each of two misspelt fields', () => {
    expect(listIssues({ amoumt: 1, metod: 'pix' })).toEqual([
      'amount is required. Rename amoumt to amount',
      'method is required: one of pix, boleto. Rename metod to method',
    ]);
  });

  test('suggests the correct name for a misspelt field in a nested object', () => {
    const { request } = shapes['payments.create'];
    const item = { title: 'Café', quantity: 1, unitPrice: 1990 };
    const payment = { amount: 1990, paymentMethod: 'pix', items: [item] };
    const customer = { name: 'Ana', document: { type: 'cpf', number: '12345678909' } };
    const { issues } = checkBody(
      { ...payment, customer: { ...customer, emial: 'ana@example.com' } },
      request,
    );
    expect(issues.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "customer.emial is not in the API docs. Did you mean customer.email? If not, set checks: { 'field.name': false }.",
    ]);
  });

  test('reports a field in a nested object if it belongs to the outermost object and is missing there', () => {
    const { request } = shapes['payments.create'];
    const item = { title: 'Café', quantity: 1, unitPrice: 1990 };
    const listPaths = (body: object) => checkBody(body, request).issues.map(({ path }) => path);
    const payment = { amount: 1990, paymentMethod: 'credit_card', items: [item], card: { cardTokenId: 't' } };
    const { amount: _, ...withoutAmount } = payment;
    expect(listPaths(payment)).toEqual([]);
    expect(listPaths({ ...withoutAmount, card: { ...payment.card, amount: 1990 } })).toContain('card.amount');
    expect(listPaths({ ...payment, card: { ...payment.card, amount: 1990 } })).toEqual([]);
    expect(listPaths({ ...withoutAmount, items: [{ ...item, amount: 1990 }] })).toEqual(['amount']);
  });

  test('finds the outermost object’s fields if a toJSON method returns them', () => {
    const { request } = shapes['payments.create'];
    const customer = { name: 'Ana', document: { type: 'cpf', number: '12345678909' }, externalId: 'c-1' };
    const item = { title: 'Café', quantity: 1, unitPrice: 1990 };
    const payment = { amount: 1990, paymentMethod: 'pix', items: [item], externalId: 'order-1', customer };
    expect(checkBody({ toJSON: () => payment }, request).issues).toEqual([]);
    const { externalId: _, ...without } = payment;
    const issues = checkBody({ toJSON: () => without }, request).issues;
    expect(issues.map(({ path }) => path)).toEqual(['customer.externalId']);
  });

  test.each([
    ['a plural', { externalId: 'order-1', externalIds: ['order-1'] }],
    ['a name that ends differently', { clientIp: '192.0.2.1', clientId: 'c-1' }],
    ['a name in other case that ends differently', { clientIp: '192.0.2.1', client_id: 'c-1' }],
    ['a plural in other case', { externalId: 'order-1', external_ids: ['order-1'] }],
    ['a number', { externalId: 'order-1', externalId2: 'order-2' }],
    ['another word', { externalId: 'order-1', reference: 'order-1' }],
  ])('passes on %s of a field that is also set', (_name, fields) => {
    const item = { title: 'Café', quantity: 1, unitPrice: 1990 };
    const payment = { amount: 1990, paymentMethod: 'pix', items: [item], ...fields };
    expect(checkBody(payment, shapes['payments.create'].request).issues).toEqual([]);
  });

  test('looks for a misspelt name only among the first hundred names', () => {
    const others = (length: number) =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`field${index}`, 1]));
    expect(listIssues({ ...others(99), amoumt: 1, method: 'pix' })).toEqual([
      'amount is required. Rename amoumt to amount',
    ]);
    expect(listIssues({ ...others(100), amoumt: 1, method: 'pix' })).toEqual(['amount is required']);
  });

  test('trims a string in a request, and leaves a string in a response unchanged', () => {
    const spaced = { ...valid, note: ' a ' };
    expect(checkBody(spaced, order).value).toEqual({ ...valid, note: 'a' });
    expect(issuesIn(spaced, order)).toEqual([]);
    expect(spaced.note).toBe(' a ');
  });

  test('returns a JSON body with all its unknown fields', () => {
    const body = { ...valid, __proto__: null, added: [{ a: undefined }] };
    expect(checkBody(body, order)).toEqual({
      value: { ...valid, added: [{}] },
      issues: [],
      keyLikePaths: [],
    });
  });
});

describe('issuesIn', () => {
  const messages = (value: unknown, shape: RuntimeSchema, isResponse?: boolean) =>
    issuesIn(value, shape, isResponse).map(({ message }) => message);
  const texts = new RuntimeSchema('array', { entries: text });
  const list = (length: number, last: unknown) => [...Array.from({ length: length - 1 }, () => 'a'), last];

  test('repeats no name or value from a response, because its messages can be logged', () => {
    const value = { amount: 'ten', method: 'pix' };
    expect(messages(value, order)).toEqual(['must be a number, not a string']);
    expect(messages(value, order, false)).toEqual(['is the text ten']);
    const misspelt = { amoumt: 1, method: 'pix' };
    expect(messages(misspelt, order)).toEqual(['is required']);
    expect(messages(misspelt, order, false)).toEqual(['is required. Rename amoumt to amount']);
  });

  test('checks only the first 20,000 values of a response, but all values of a received body', () => {
    const found = ['must be a string, not an integer'];
    expect(messages(list(19_999, 7), texts)).toEqual(found);
    expect(messages(list(20_000, 7), texts)).toEqual([]);
    expect(messages(list(150_000, 7), texts, false)).toEqual(found);
  });

  test('does not change the value that it checks', () => {
    const list = ['a'];
    const response = Object.freeze({ ...valid, list });
    expect(issuesIn(response, order)).toEqual([]);
    expect(response.list).toBe(list);
  });

  test('treats a field with the value undefined as missing', () => {
    expect(messages({ ...valid, amount: undefined }, order)).toEqual(['is required']);
  });

  test('passes on an error that a validation rule throws', () => {
    const rule = () => {
      throw new RangeError('a mistake');
    };
    expect(() => issuesIn('a', new RuntimeSchema('string', { rules: [[rule, 'never']] }))).toThrow(
      RangeError,
    );
  });

  test('accepts more levels of nesting in a response than in a request', () => {
    expect(messages(nested(100), new RuntimeSchema('any', { isOptional: true }))).toEqual([]);
  });

  test('reports undocumented fields as unknown if the schema is strict', () => {
    const strict = new RuntimeSchema('object', { isStrict: true, fields: { a: text } });
    expect(issuesIn({ a: 'x', b: 1, constructor: 1 }, strict)).toEqual([
      { path: 'b', message: 'is an unknown field' },
      { path: 'constructor', message: 'is an unknown field' },
    ]);
    expect(issuesIn({ a: 'x' }, strict)).toEqual([]);
  });
});
