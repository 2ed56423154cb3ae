import { describe, expect, test } from 'vitest';
import { findConfidential, findConfidentialInId } from '../../src/redact/confidential-patterns.js';

/** Lists the parts that would be hidden. A part inside another part is left out. */
function hiddenIn(text: string, find = findConfidential): string[] {
  const ranges = find(text).sort(([a, b], [c, d]) => a - c || d - b);
  const outer = ranges.filter(
    ([start, end], index) => !ranges.some(([a, b], other) => other < index && a <= start && end <= b),
  );
  return outer.map(([start, end]) => text.slice(start, end));
}

/** Expects that exactly the text in braces is hidden. */
const expectHidden = (marked: string) => {
  const parts = [...marked.matchAll(/\{([^}]*)\}/g)].map(([, part]) => part);
  expect(hiddenIn(marked.replace(/[{}]/g, ''))).toEqual(parts);
};

describe('a message from a third party (braces mark hidden parts)', () => {
  test.each([
    'mail {ana@loja.com.br}, please',
    "{a.b_c%d+e'f-g@x-y9.co} bounced",
    '{joão@café.com} bounced',
    '{ana@mail.loja-1.shop2.com.br} bounced',
    '{ana@l0ja.com} bounced',
    'ana@loja.c has no domain, and ana@localhost neither',
    'ana@ loja.com is none, ana@loja..com is none',
  ])('hides e-mail addresses: %s', expectHidden);

  test.each([
    'jwt {eyJabcd.efgh} end',
    'jwt {eyJabcd.efgh.} end',
    'jwt {eyJabcd.efgh.sig-_1} end',
    'no jwt eyJabc.efgh, eyJabcd.efg',
  ])('hides JSON Web Tokens: %s', expectHidden);

  test.each([
    'Bearer {abc.DEF}',
    'bearer  "{a1b2}"',
    "Basic '{Zm9v}'",
    'BASIC: {dXNlcg==}',
    'BEARER {a~+/=-x}',
    'Bearer token. Basic auth is off',
    'Bearer {tokentokentoken1}',
  ])('hides credentials after Bearer or Basic: %s', expectHidden);

  test.each([
    ...['password', 'passwd', 'pwd', 'senha', 'segredo', 'secret', 'token', 'cvv', 'cvc', 'SENHA'],
    ...['apikey', 'api_key', 'api-key'],
  ])('hides the value of %s', (name) => {
    for (const marked of [
      `${name}={abc}`,
      `${name} = {abc};x`,
      `"${name}":"{a} b"`,
      `"${name}" : {abc}&x`,
      `'${name}'='{abc}'<`,
    ])
      expectHidden(marked);
    expectHidden(`${name}: abc`);
  });

  test.each([
    'token: {abcdEFGH12345678ijkl}, secret : {s3cret-with_dashes.and/more=}',
    'invalid token: expired, token: abc123, secret: has-no-digit-at-all',
    'cvv {123} is wrong, CVC: {9137}, cvv2={123}, cvv 12, cvv 12345, the cvv of 123',
  ])('hides a value that looks like a secret after a name and a colon or space: %s', expectHidden);

  test.each([
    'key {sk_live_9f8e7d6c5b4a3f2e}, {pk_test_9f8e7d6c}, {whsec_0123456789abcdef}',
    '{AKIAIOSFODNN7EXAMPLE}, AKIAIOSFODNN7, task_live_9f8e7d6c, sk_1234567',
  ])('hides keys with a known prefix: %s', expectHidden);

  test.each(['see https://{user:pa}@host/x', 'see https://host/a@b, //u@h is none'])(
    'hides credentials in a URL: %s',
    expectHidden,
  );

  test.each([
    'CPF {111.222.333-44}.',
    '1111.222.333-44, 111.222.333-445, 11.222.333-44, 111.22.333-44, 111.222.33-44, 111.222.333-4',
    'aaa.222.333-44, 111.aaa.333-44, 111.222.aaa-44, 111.222.333-aa',
    'CNPJ {11.222.333/0001-44}, {12.ABC.345/01DE-35}',
    'a11.222.333/0001-44, 111.222.333/0001-44, 11.222.333/0001-445, 11.2-2.333/0001-44',
  ])('hides formatted CPFs and CNPJs: %s', expectHidden);

  test.each([
    '{+5511987654321}, {+55 (11) 98765-4321}, {+1.212.555.0100}',
    '{+1234567890}, +123456789',
    '+1234567890123456',
    '{(11) 98765-4321}, {(11)987654321}, {(11) 3456.7890}, {(11) 3456 7890}',
    '{55(11) 98765-4321}, {55 (11) 98765-4321}, {55-(11) 98765-4321}',
    '1(11) 98765-4321, (11) 98765-43210, (01) 98765-4321',
    '{11 98765-4321}, {11987654321}, {11-98765.4321}, {11 98765 4321}',
    '{5511987654321}, {55 11 98765-4321}, {55-11987654321}',
    '5,11987654321, 5.11987654321, 11987654321-, 119876543210, 11 88765-4321, x9 98765-4321',
    '{11 3456-7890}, {11 34567890}, {11 3456.7890}, {551134567890}, {55 11 3456-7890}, {55-11-34567890}',
    '1134567890, 11 6456-7890, 01 3456-7890, 10 3456-7890, 11 3456-789, 11 3a56-7890',
    '5,11 3456-7890, 5.11 3456-7890, -11 3456-7890, 11 3456-78901, 11 3456-7890-1',
  ])('hides phone numbers: %s', expectHidden);

  test.each([
    'phone: {1134567890}',
    'telefone do cliente {99999999991}',
    'WhatsApp={1134567890}',
    'phone 113456789',
    'phone of the customer who paid is 1134567890',
    'phone\n1134567890',
  ])('hides a number after a word that means phone: %s', expectHidden);

  test.each([
    '{abc123abc123abc123abc123}, {ABC123abc123abc123abc123}',
    'abc123abc123abc123abc12, abcdefabcdefabcdefabcdef, 987654987654987654987654',
  ])('hides a long mixture of letters and digits: %s', expectHidden);

  test.each([
    '{4111 1111 1111 1111}, {4111-1111-1111-1111}, {4111.1111.1111.1111}, {4111111111111111}',
    '4111  1111 1111 1111, 4111111111111112',
    // Letters can touch a card number, as in track 1.
    'card{5500005555555559}end, MC{5500005555555559}, x{4111 1111 1111 1111}, {4111111111111111}x',
    '%B{4111111111111111}^SOUZA/ANA^, ;{5500005555555559}=',
    // These have a Luhn check digit, but no brand's first digits or length.
    'REQ20261128055000126x, x2026112805500010, x30569309025908, x50000000000005',
    'x12 {5500005555555559}, {5500005555555559} 12x',
    'cpf{52998224725}, CNPJ{11222333000181}, order12345678909, x12345678909, cpf5299822472x',
    // These have a Luhn check digit, but start with another digit or are too long.
    '1111111111111117, 9111111111111119, 9411111111111117, 41111111111111111116',
    '{529.982.247-25}, {52998224725}, {529 982 247 25}, 12345678901',
    'order 10 of {52998224725}, {52998224725} 3',
    '{11222333000181}, {11 222 333 0001 81}, 11222333000182',
    '529982247 2, 5299822472',
  ])('hides card and document numbers: %s', expectHidden);

  test.each([
    '123e4567-e89b-42d3-a456-426614174000',
    // The first and the last groups of these numbers would be card numbers.
    '41111111-1111-1111-8111-111111111111',
    'a1b2c3d4-0000-4000-4111-111111111111',
    '123e4567-e89b-42d3-a456-426614174000 {52998224725} 41111111-1111-1111-8111-111111111111',
    '{529.982.247-25} 123e4567-e89b-42d3-a456-426614174000',
    'x123e4567-{4111111111111111}',
  ])('shows UUIDs: %s', expectHidden);

  test.each([
    'traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, please',
    'see {"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}'.replace(/[{}]/g, ''),
    'b3 4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1',
    'trace_id=4bf92f3577b34da6a3ce929d0e0e4736 traceId: "4bf92f3577b34da6a3ce929d0e0e4736"',
    'x_trace_id: 4bf92f3577b34da6a3ce929d0e0e4736, "trace":["id":"4bf92f3577b34da6a3ce929d0e0e4736"]',
    'Trace-Id 4bf92f3577b34da6a3ce929d0e0e4736, trace 4bf92f3577b34da6a3ce929d0e0e4736',
    'key {4bf92f3577b34da6a3ce929d0e0e4736}, backtrace_key={4bf92f3577b34da6a3ce929d0e0e4736}',
    'trace {4bf92f3577b34da6a3ce929d0e0e47361}, x00-{4bf92f3577b34da6a3ce929d0e0e4736}-00f067aa0ba902b7-01',
    'trace_id=4bf92f3577b34da6a3ce929d0e0e4736 token={abc123}',
  ])('shows trace ids, which support asks for: %s', expectHidden);
});

test('an identifier may be a long mixture of letters and digits, but may not contain a card number', () => {
  expect(hiddenIn('abc123abc123abc123abc123', findConfidentialInId)).toEqual([]);
  expect(hiddenIn('pay 4111111111111111', findConfidentialInId)).toEqual(['4111111111111111']);
});
