import { describe, expect, test } from 'vitest';
import { testCards } from '../../../src/sandbox/index.js';
import { bankAccount, call, form, keyNo, openCard, pay, pix, sandboxForTest } from '../support.js';

const pan = testCards.approved;
const masked = '************1111';

/** What the journal keeps of a body. */
async function kept(body: unknown): Promise<unknown> {
  const sandbox = sandboxForTest();
  await pay(sandbox, body);
  return sandbox.journal.requests[0]?.body;
}

/** What the journal keeps of a path. */
async function keptPath(path: string): Promise<string | undefined> {
  const sandbox = sandboxForTest();
  await call(sandbox, path);
  return sandbox.journal.requests[0]?.path;
}

describe('a secret is hidden', () => {
  test.each([
    'cvv',
    'cvc',
    'cvc2',
    'cvv2',
    'securityCode',
    'security_code',
    'client_secret',
    'clientSecret',
    'hmac_secret',
    'access_token',
    'refresh_token',
    'password',
    'token',
  ])('in a field named %s, at any depth and of any type', async (name) => {
    const secret = { [name]: 'canary' };
    const hidden = { [name]: '***' };
    expect(await kept({ ...secret, deep: { deeper: [secret, [secret]] } })).toEqual({
      ...hidden,
      deep: { deeper: [hidden, [hidden]] },
    });
    for (const value of [123, true, ['canary'], { inside: 'canary' }]) {
      expect(await kept({ [name]: value })).toEqual(hidden);
    }
    expect(await kept({ [name]: null })).toEqual({ [name]: null });
  });

  test.each(['card[cvv]', 'card.cvv', 'cards[0][cvv]'])('in the form field %s', async (name) => {
    const sandbox = sandboxForTest();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await call(sandbox, '/oauth/token', { method: 'POST', body: `${name}=123`, headers });
    await call(sandbox, '/v1/submerchants', { body: form({ [name]: '123' }), key: keyNo(1) });
    const bodies = sandbox.journal.requests.map(({ body }) => body);
    expect(bodies).toEqual([{ [name]: '***' }, { [name]: '***' }]);
  });

  test('in JSON that is text', async () => {
    expect(await kept({ data: `[{"cvv": "123", "number": "${pan}"}]` })).toEqual({
      data: `[{"cvv":"***","number":"${masked}"}]`,
    });
  });

  test.each(['client_secret', 'clientSecret', 'access_token', 'password'])(
    'in a query, as %s',
    async (name) => {
      expect(await keptPath(`/v1/webhooks?page=2&${name}=canary&b=%20`)).toBe(
        `/v1/webhooks?page=2&${name}=***&b=%20`,
      );
    },
  );
});

describe('a PAN is masked', () => {
  test.each(['number', 'pan', 'cardNumber', 'card_number'])('in a field named %s', async (name) => {
    expect(await kept({ [name]: pan, list: [{ [name]: Number(pan) }] })).toEqual({
      [name]: masked,
      list: [{ [name]: masked }],
    });
    // One digit is mistyped, so it passes no check.
    expect(await kept({ [name]: '4111-1111-1111-1112' })).toEqual({ [name]: '***************1112' });
  });

  test.each([
    ['in a text', `my card is ${pan}.`, `my card is ${masked}.`],
    ['in groups, beside other numbers', '12 4111 1111 1111 1111 12/30', '12 ***************1111 12/30'],
    ['more than once', `${pan} ${testCards.refused}`, `${masked} ************0002`],
    ['next to letters', `order-${pan}x`, `order-${masked}x`],
    ['as a number', Number(pan), masked],
    ['of 13 digits', '4222222222222', '*********2222'],
    ['of 19 digits', '6304000000000000000', '***************0000'],
  ])('%s', async (_, text, shown) => {
    expect(await kept({ metadata: { note: [text] } })).toEqual({ metadata: { note: [shown] } });
  });

  test('in the name of a field and of a file', async () => {
    const sandbox = sandboxForTest();
    const file = new File(['x'], `${pan}.png`, { type: 'image/png' });
    await call(sandbox, '/v1/submerchants', { body: form({ [pan]: 'x', file }), key: keyNo(1) });
    expect(sandbox.journal.requests[0]?.body).toMatchObject({
      [masked]: 'x',
      file: { filename: `${masked}.png`, size: 1 },
    });
  });

  test('in a path and its query', async () => {
    expect(await keptPath(`/v1/cards/${pan}?number=4111+1111+1111+1111&x=%zz&${pan}`)).toBe(
      `/v1/cards/${masked}?number=***************1111&x=%zz&${masked}`,
    );
  });

  test('of any shape within a card', async () => {
    const card = openCard().card;
    expect(await kept(openCard(pan, { card: { ...card, number: [pan], cvv: { a: 1 } } }))).toMatchObject({
      card: { number: '***', cvv: '***', holderName: card.holderName },
    });
    expect(await kept({ card: { number: '41111111' } })).toEqual({ card: { number: '****1111' } });
  });
});

test.each([
  { document: { number: '11222333000181', type: 'cnpj' } },
  { split: [{ document: { number: '11.222.333/0001-81' } }] },
  // The digits of these three pass the Luhn check.
  { document: { number: '11222333000187' } },
  { documentNumber: '11222333000104', phone: '+551191234567899' },
  { cnpj: '11.222.333/0001-87', phone: '5511912345676' },
  { id: '41111111-1111-4111-8111-111111111111' },
  { line: `9${pan}${pan}${pan}` },
  { note: '4111111111111112' },
  { address: { number: '1000' }, number: 12 },
  { bankAccount: JSON.stringify(bankAccount, null, 2) },
  { metadata: { list: [1, true, null, 'x', {}] } },
  pix(),
])('what is not a PAN does not change: %j', async (body) => {
  expect(await kept(body)).toEqual(body);
});

test('a PAN in the field of a document is masked', async () => {
  expect(await kept({ document: { number: pan }, documentNumber: pan })).toEqual({
    document: { number: masked },
    documentNumber: masked,
  });
});
