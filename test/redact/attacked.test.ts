import { inspect } from 'node:util';
import { type PaymentPlatformError, rawBodyOf } from 'payment-platform';
import { createReceiver, sign } from 'payment-platform/webhooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cpuSeconds } from '../support/cpu-seconds.js';
import { catchError, clientOn, credentials, onBothEngines } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { jpeg } from '../support/onboarding.js';
import { id, openCard, pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();
const pan = '4539578763621486';
const everything = (error: unknown) => inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);

onBothEngines((engine) => {
  test('an onboarding’s status is shown without the document or card number that it contains (row 77)', async () => {
    const status = `Simone Souza 123.456.789-09 ${pan}`;
    const server = opens(
      await formServer((response) => json(response, 200, { can_resubmit: false, status })),
    );
    const platform = opens(clientOn(engine, server.url));
    const options = { until: 'approved', timeout: 600_000, interval: 600_000 };
    for (const [call, shown] of [
      [
        () => platform.onboarding.resendDocuments(id, { selfie: jpeg }),
        '(its status is Simone Souza [redacted] [redacted])',
      ],
      [() => platform.onboarding.waitFor(id, options), 'in time; it is Simone Souza [redacted] [redacted].'],
    ] as const) {
      const error = await catchError(call());
      expect(error.message).toContain(shown);
      expect(everything(error)).not.toMatch(/123\.456|4539/);
    }
  });

  test('a client secret made of words is hidden in an error’s code and message (row 77)', async () => {
    const clientSecret = 'secret-key-for-payment-gateway';
    const body = { code: clientSecret, message: `client secret ${clientSecret} was not found` };
    const server = opens(await formServer((response) => json(response, 400, body)));
    const platform = opens(clientOn(engine, server.url, { clientSecret }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error.body).toEqual({ message: 'client secret [redacted] was not found' });
    expect(everything(error)).not.toContain(clientSecret);
  });

  test('a client secret made of words is hidden even if the separators between the words differ (row 77)', async () => {
    const clientSecret = 'payment-account-token';
    for (const spelt of ['payment account token', 'payment.account-token', 'PAYMENT, account: token']) {
      const body = { code: 'account-token', message: `invalid key: ${spelt}, try again` };
      const server = opens(await formServer((response) => json(response, 400, body)));
      const platform = opens(clientOn(engine, server.url, { clientSecret }));
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error.body?.message).toMatch(/^(invalid key: )?\[redacted\](, try again)?$/);
    }
  });

  test('a name from the request is hidden even in full-width letters or with invisible characters (row 77)', async () => {
    const customer = { ...pix.customer, name: 'Saldo Ferreira' };
    for (const message of ['\uff33\uff41\uff4c\uff44\uff4f', 'Sal\u00addo', 'Sal\u200bdo']) {
      const server = opens(await formServer((response) => json(response, 400, { message })));
      const platform = opens(clientOn(engine, server.url));
      const error = await catchError<PaymentPlatformError>(platform.payments.create({ ...pix, customer }));
      expect(error.body?.message).toBe('[redacted]');
    }
  });

  test('an order number that contains the digits of a document is hidden (row 77)', async () => {
    const { number } = pix.customer.document;
    const externalId = number.replace(/^(...)(...)(...)/, '$1.$2.$3-');
    const body = { message: `the order ${externalId} exists` };
    const server = opens(await formServer((response) => json(response, 400, body)));
    const platform = opens(clientOn(engine, server.url));
    const error = await catchError<PaymentPlatformError>(platform.payments.create({ ...pix, externalId }));
    expect(error.body?.message).toBe('the order [redacted] exists');
  });

  test('the error about an unreadable file omits the original error’s message, name and unusual code (row 77)', async () => {
    const server = opens(await formServer((response) => json(response, 200, {})));
    const platform = opens(clientOn(engine, server.url));
    for (const own of [{ name: 'Simone Souza' }, { code: 'NoSuchKey: /Souza' }]) {
      const selfie = () => {
        throw Object.assign(new Error('Souza'), own);
      };
      const error = await catchError(platform.onboarding.resendDocuments(id, { selfie } as never));
      expect(everything(error)).not.toContain('Souza');
    }
  });

  test('a code that contains unusual characters is omitted from an error (row 77)', async () => {
    for (const code of ['card Ⓐⓝⓐ', 'card\u202e', 'card\n', 'card 🇦🇳🇦']) {
      const server = opens(await formServer((response) => json(response, 400, { code })));
      const platform = opens(clientOn(engine, server.url));
      expect((await catchError<PaymentPlatformError>(platform.payments.create(pix))).body).toBeUndefined();
    }
  });

  test('a file name is hidden in an error, but not if it equals its field’s name (row 77)', async () => {
    const message = 'campo pago: the selfie is no document';
    const body = { message, code: 'campo_pago' };
    const server = opens(
      await formServer((response, _, { method }) =>
        method === 'GET'
          ? json(response, 200, { can_resubmit: true, status: 'refused' })
          : json(response, 422, body),
      ),
    );
    const selfie = new File([jpeg], 'campo pago.jpg');
    const platform = opens(clientOn(engine, server.url));
    const error = await catchError<PaymentPlatformError>(platform.onboarding.resendDocuments(id, { selfie }));
    expect(error.body).toEqual({ message: '[redacted]: the selfie is no document' });
    const named = new File([jpeg], 'selfie.jpg');
    const other = await catchError<PaymentPlatformError>(
      platform.onboarding.resendDocuments(id, { selfie: named }),
    );
    expect(other.body).toEqual(body);
  });

  test('every value of a vault request is hidden in an error, whatever its field is called (row 77)', async () => {
    const message = `campo pago ${pan}`;
    const server = opens(await formServer((response) => json(response, 422, { message })));
    const platform = opens(clientOn(engine, server.url));
    const body = { type: 'CAMPO PAGO', externalId: pan } as never;
    const error = await catchError<PaymentPlatformError>(platform.vault.tokenize(body));
    expect(error.body).toEqual({ message: '[redacted] [redacted]' });
  });

  test('the error of a token request hides the values of the call that needed the token (row 77)', async () => {
    let tokens = 0;
    const body = { code: 'campo_pago', message: 'holder CAMPO PAGO cvv 9471' };
    const server = opens(
      await formServer((response, _, { path }) => {
        if (path !== '/oauth/token') json(response, 401, body);
        else if (tokens++ === 0) json(response, 200, { access_token: 'token-abcdef-1', expires_in: 3600 });
        else json(response, 400, body);
      }),
    );
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
    const charge = { ...openCard, card: { ...openCard.card, holderName: 'CAMPO PAGO', cvv: '9471' } };
    const options = { idempotencyKey: 'order-1042' };
    const error = await catchError<PaymentPlatformError>(platform.payments.create(charge, options));
    expect(everything(error)).not.toMatch(/campo|pago|9471/i);
    expect(error.message).toContain('no access token (the token request failed with 400)');
    expect(rawBodyOf(error)).toEqual(body);
  });

  test('the error of a token request hides a request id that repeats a value from the call (row 77)', async () => {
    const { number } = openCard.card;
    const server = opens(
      await formServer((response) => {
        response.setHeader('x-request-id', number.slice(0, 8));
        json(response, 400, { message: 'invalid key' });
      }),
    );
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(openCard));
    expect(error.message).toContain('no access token');
    expect(everything(error)).not.toContain(number.slice(0, 8));
  });

  test.each([
    ['the client secret', `cid:${credentials.clientSecret}`],
    ['the card number', `{"number":"${openCard.card.number}"}`],
  ])('base64 with %s is hidden in an error and in hooks (row 77)', async (_, text) => {
    const encoded = btoa(text);
    const seen: unknown[] = [];
    const hooks = {
      onResponse: (event: object) => seen.push(event),
      onRetry: (event: object) => seen.push(event),
    };
    let requests = 0;
    const server = opens(
      await formServer((response) => {
        response.setHeader('x-request-id', encoded);
        response.setHeader('x-echo', encoded);
        response.setHeader('location', `/?s=${encoded}`);
        json(response, requests++ === 0 ? 503 : 302, { code: encoded, message: `invalid: ${encoded}` });
      }),
    );
    const platform = opens(clientOn(engine, server.url, { hooks }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(openCard));
    expect(seen.map((event) => (event as { requestId?: string }).requestId)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(error.requestId).toBeUndefined();
    expect(error.location).toBeUndefined();
    const shown = everything([error, seen]);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain(encoded.slice(0, 16));
  });

  test('the path of an issue for onDrift contains no line breaks (row 77)', async () => {
    const seen: string[] = [];
    const responseBody = { 'name \u{1f170}\u{1f182}': 1, 'amount\n[ERROR] payment refused': 1, amount: 1 };
    const server = opens(await formServer((response) => json(response, 200, responseBody)));
    const hooks = {
      onDrift: ({ issues }: { issues: readonly { path: string }[] }) =>
        seen.push(...issues.map(({ path }) => path)),
    };
    const platform = opens(clientOn(engine, server.url, { hooks }));
    const response = z.record(z.string(), z.string());
    await platform.request({ method: 'POST', path: '/v1/x', body: {}, response });
    expect(seen).toEqual(['name \u{1f170}\u{1f182}', 'amount [ERROR] payment refused', 'amount']);
  });

  test('many response headers after a large request body do not block the process (row 59)', async () => {
    const words = 'account amount card client code data date error field key limit name number'.split(' ');
    const many = Object.fromEntries(
      words.flatMap((one) => words.map((other) => [`x-ratelimit-${one}-${other}`, '1000'])),
    );
    const server = opens(await formServer((response) => response.writeHead(400, many).end()));
    const seen: object[] = [];
    const onResponse = ({ headers }: { headers: object }) => seen.push(headers);
    const platform = opens(clientOn(engine, server.url, { hooks: { onResponse } }));
    const cost = await cpuSeconds(async () => {
      for (const length of [17_000, 400_000]) {
        const note = Array.from({ length: length / 9 }, (_, at) => `w${at * 7919}`.padEnd(8, 'x')).join(' ');
        await catchError(platform.payments.create({ ...pix, customer: { ...pix.customer, name: note } }));
      }
    });
    expect(cost).toBeLessThan(2);
    // The call sent so many confidential values that the SDK neither searches nor shows a third-party
    // message.
    expect(seen.map((headers) => 'x-ratelimit-card-code' in headers)).toEqual([true, false]);
  });

  test('a response with 60,000 unknown fields is compared with the caller’s schema within the time limit (row 58)', async () => {
    const names = Array.from({ length: 60_000 }, (_, at) => [`unknown_name_of_a_field_number_${at}`, 1]);
    const responseBody = Object.fromEntries(names);
    const server = opens(await formServer((response) => json(response, 200, responseBody)));
    const drifts: unknown[] = [];
    const platform = opens(
      clientOn(engine, server.url, { hooks: { onDrift: ({ issues }) => drifts.push(issues) } }),
    );
    const required = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`required_${at}`, z.string()]),
    );
    const response = z.object(required);
    const cost = await cpuSeconds(() => platform.request({ method: 'GET', path: '/v1/things', response }));
    expect(cost).toBeLessThan(2);
    expect(drifts).toHaveLength(1);
  });
});

test('an error from fetch is reported without its code if the code contains a card number (row 77)', async () => {
  const fetch = async () => {
    throw Object.assign(new TypeError('fetch failed'), { code: `ERR_CARD_${pan}` });
  };
  const platform = opens(
    clientOn('ky', 'https://platform.example', { fetch, maxRetries: 0, ...credentials }),
  );
  const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  expect(error.cause).toMatchObject({ message: 'fetch failed' });
  expect(error.cause).not.toHaveProperty('code');
  expect(everything(error)).not.toContain(pan);
});

test('an error from fetch is reported without the unusual parts of its name, code, stack and address (row 77)', async () => {
  const holder = 'MARIA SILVA';
  const order = { ...openCard, card: { ...openCard.card, number: pan, holderName: holder } };
  const thrown = Object.assign(new TypeError('fetch failed'), {
    name: 'MariaSilvaError',
    stack: `TypeError: fetch failed\n    at ${pan} (${holder} 737:1:1)\n    at send (/app/shop.js:1:1)`,
    code: 'ERR_MARIA_SILVA',
    syscall: 'mariasilva',
    address: '4539:5787:6362:1486::',
  });
  const unreadable = new Proxy(new Response('{}', { status: 400 }), {
    get(response, name) {
      if (name === 'body') throw Object.assign(new Error('x'), { name: `${pan} ${holder}` });
      return Reflect.get(response, name, response);
    },
  });
  const odd = { status: Number(pan), headers: new Headers(), body: null } as Response;
  for (const fetch of [() => Promise.reject(thrown), async () => unreadable, async () => odd]) {
    const platform = opens(
      clientOn('ky', 'https://platform.example', { fetch, maxRetries: 0, ...credentials }),
    );
    const call = platform.payments.create(order, { idempotencyKey: 'order-1042' });
    const { cause, message, status } = await catchError<PaymentPlatformError>(call);
    expect(everything([cause, status])).not.toMatch(/maria|silva|4539/i);
    expect(message).not.toMatch(/maria silva|4539/i);
  }
});

test('the error after a failed token request hides the values of the call, even in its causes (row 77)', async () => {
  const fetch = async () => {
    throw new TypeError('the token for NOVO BANCO failed');
  };
  const platform = opens(
    clientOn('ky', 'https://platform.example', { fetch, auth: 'oauth', maxRetries: 0, ...credentials }),
  );
  const order = { ...openCard, card: { ...openCard.card, holderName: 'NOVO BANCO' } };
  expect(everything(await catchError(platform.payments.create(order)))).not.toMatch(/novo|banco/i);
});

test('a second notification with the same id but a different body is reported without that id (row 77)', async () => {
  const secret = 'whsec_0123456789abcdef';
  const events: unknown[] = [];
  const receiver = createReceiver({
    secret,
    changed: 'ignore',
    onUnhandled: () => undefined,
    onError: (error) => events.push(error),
  });
  for (const amount of [1, 2]) {
    const body = JSON.stringify({ event: 'transaction.paid', id: `Simone ${pan}`, status: 'paid', amount });
    await receiver.receive({ body, headers: sign({ body, secret }) });
  }
  expect(events).toHaveLength(1);
  expect(everything(events[0])).not.toMatch(/Simone|4539/);
});
