import { expect, test } from 'vitest';
import { findFreePort } from '../../../test/support/free-port.js';
import { sandboxForTest } from '../support.js';
import { type Changes, examine, findResult, namesWith, optionsAt, startGateway } from './support.js';

/** Examines a sandbox behind a gateway. */
async function throughGateway(changes: Changes, charge = true) {
  const sandbox = sandboxForTest({ now: undefined });
  const { url } = await sandbox.listen();
  const gateway = await startGateway(url, changes);
  return { sandbox, diagnosis: await examine(optionsAt(gateway, sandbox), { charge }) };
}

test('diagnose passes behind a gateway that changes nothing', async () => {
  const { diagnosis } = await throughGateway({});
  expect(namesWith(diagnosis, 'failed')).toEqual([]);
});

test('diagnose detects a gateway that drops x-idempotency-key (row 82)', async () => {
  const { sandbox, diagnosis } = await throughGateway({
    request: ({ headers }) => delete headers['x-idempotency-key'],
  });
  expect(namesWith(diagnosis, 'failed')).toEqual([
    'charge.same-key',
    'charge.at-once',
    'charge.other-payload',
    'charge.other-order',
    'charge.lost-response',
    'charge.similar-keys',
  ]);
  expect(findResult(diagnosis, 'charge.same-key')).toEqual({
    status: 'failed',
    message: expect.stringMatching(
      /^Two requests with one key made two payments, [\w-]{36} and [\w-]{36}\.$/,
    ),
    remedy: 'Do not go live: a retry is a second charge. Let x-idempotency-key pass every gateway and proxy.',
  });
  expect(findResult(diagnosis, 'charge.lost-response').message).toContain('the retry made a second payment');
  expect(sandbox.ledger.charges).toHaveLength(17);
});

test('diagnose detects a gateway that rewrites the body', async () => {
  const { diagnosis } = await throughGateway({
    request(message) {
      const text = message.body.toString().replace('"amount":100', '"amount":1000');
      message.body = Buffer.from(text.replace('"unitPrice":100', '"unitPrice":1000'));
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.body']);
  expect(findResult(diagnosis, 'charge.body')).toEqual({
    status: 'failed',
    message:
      'The payment differs from the order: amount is 1000, not 100; items.0.unitPrice is 1000, not 100.',
    remedy: 'A gateway rewrites the body or its charset. Let it pass bodies unchanged.',
  });
});

test('diagnose detects a gateway that decodes a request as Latin-1', async () => {
  const { diagnosis } = await throughGateway({
    request: (message) => {
      message.body = Buffer.from(message.body.toString('latin1'));
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.body']);
  expect(findResult(diagnosis, 'charge.body').message).toContain(
    'items.0.title is CafÃ© e pÃ£o, not Café e pão',
  );
});

test('diagnose detects a gateway that removes the date header', async () => {
  const { diagnosis } = await throughGateway({ response: ({ headers }) => delete headers.date }, false);
  expect(namesWith(diagnosis, 'failed')).toEqual(['clock']);
  expect(findResult(diagnosis, 'clock').message).toBe(
    'No response has a date header, so the clocks cannot be compared.',
  );
});

test.each([
  [-400, 'failed', "s behind this machine's. Deliveries are rejected beyond 300 s."],
  [60, 'warning', "s ahead of this machine's."],
])('diagnose reports a clock offset of %d s as %s', async (seconds, status, message) => {
  const { diagnosis } = await throughGateway(
    {
      response: ({ headers }) => {
        headers.date = new Date(Date.now() + seconds * 1_000).toUTCString();
      },
    },
    false,
  );
  expect(findResult(diagnosis, 'clock')).toMatchObject({ status, message: expect.stringContaining(message) });
});

test('diagnose reads a date header that a gateway sends twice', async () => {
  const { diagnosis } = await throughGateway(
    {
      response: ({ headers }) => {
        headers.date = [new Date().toUTCString(), new Date().toUTCString()] as never;
      },
    },
    false,
  );
  expect(findResult(diagnosis, 'clock').status).toBe('ok');
});

test('diagnose detects a gateway that responds in Latin-1', async () => {
  const { diagnosis } = await throughGateway(
    {
      response(message) {
        message.headers['content-type'] = 'application/json; charset=iso-8859-1';
        message.body = Buffer.from(message.body.toString(), 'latin1');
      },
    },
    false,
  );
  expect(namesWith(diagnosis, 'failed')).toEqual(['encoding']);
  expect(findResult(diagnosis, 'encoding').message).toBe(
    'The body is not UTF-8: application/json; charset=iso-8859-1, content encoding none.',
  );
});

test('diagnose detects an HTML page instead of the platform’s response', async () => {
  const { diagnosis } = await throughGateway(
    {
      response(message) {
        message.headers['content-type'] = 'text/html';
        message.body = Buffer.from('<title>Sign in</title>');
      },
    },
    false,
  );
  expect(namesWith(diagnosis, 'failed')).toEqual(['auth.headers', 'encoding']);
  for (const name of ['auth.oauth', 'auth.both'] as const)
    expect(findResult(diagnosis, name).remedy).toBe('Repair the connection first.');
  expect(findResult(diagnosis, 'encoding').message).toContain('The body is not JSON: text/html');
});

test('diagnose detects a gateway that cuts keep-alive connections', async () => {
  const { diagnosis } = await throughGateway(
    {
      respond(response, body) {
        const { socket } = response;
        response.end(body, () => socket?.end());
      },
    },
    false,
  );
  expect(namesWith(diagnosis, 'failed')).toEqual(['keep-alive']);
  expect(findResult(diagnosis, 'keep-alive').message).toMatch(
    /^(Connections are cut after each response|\d+ kept connections were cut under a request)/,
  );
});

test('diagnose warns about a gateway that sends `connection: close` with each response', async () => {
  const { diagnosis } = await throughGateway(
    {
      response: ({ headers }) => {
        headers.connection = 'close';
      },
    },
    false,
  );
  expect(findResult(diagnosis, 'keep-alive')).toMatchObject({
    status: 'warning',
    message: 'The server closes the connection after a response. 0 of 10 requests reused a connection.',
  });
});

test('diagnose reports a gateway that responds in HTTP/1.0 as a warning, and not as a failure', async () => {
  const { diagnosis } = await throughGateway(
    {
      respond: ({ socket }, body) => {
        const date = new Date().toUTCString();
        const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\ndate: ${date}`;
        socket?.end(`HTTP/1.0 200 OK\r\n${head}\r\n\r\n${body}`);
      },
    },
    false,
  );
  expect(namesWith(diagnosis, 'failed')).toEqual([]);
  expect(findResult(diagnosis, 'keep-alive')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('HTTP/1.0 closes the connection after each response.'),
  });
});

test('diagnose shows the rate limit headers, and warns if a read request got a 429', async () => {
  let reads = 0;
  const { diagnosis } = await throughGateway(
    {
      response(message) {
        reads++;
        message.headers['x-ratelimit-remaining'] = '7';
        if (reads > 12) message.status = 429;
      },
    },
    false,
  );
  expect(findResult(diagnosis, 'rate-limits')).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/reads got 429\. x-ratelimit-remaining: 7\.$/),
  });
});

test('diagnose reads compressed responses', async () => {
  const { gzipSync } = await import('node:zlib');
  const { diagnosis } = await throughGateway(
    {
      response(message) {
        message.headers['content-encoding'] = 'gzip';
        message.body = gzipSync(message.body);
      },
    },
    true,
  );
  expect(namesWith(diagnosis, 'failed')).toEqual([]);
  expect(findResult(diagnosis, 'encoding').message).toBe('application/json, content encoding gzip.');
});

test.each([
  ['in lower case', (key: string) => key.toLowerCase()],
  ['cut after 64 characters', (key: string) => key.slice(0, 64)],
  ['cut after 254 characters', (key: string) => key.slice(0, 254)],
  ['cut before their last 64 characters', (key: string) => key.slice(-64)],
  ['without their first character', (key: string) => key.slice(1)],
  ['without hyphens', (key: string) => key.replaceAll('-', '')],
])('diagnose detects a gateway that forwards idempotency keys %s', async (_, change) => {
  const { diagnosis } = await throughGateway({
    request: ({ headers }) => {
      const key = headers['x-idempotency-key'];
      if (typeof key === 'string') headers['x-idempotency-key'] = change(key);
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.similar-keys']);
  const { message, remedy } = findResult(diagnosis, 'charge.similar-keys');
  expect(message).toMatch(/^Keys that differ only at one end do not make separate payments: /);
  expect(message).not.toContain('doctor-');
  expect(remedy).toBe(
    'Use short keys of letters in lower case and digits. Otherwise an order can get the payment of another one.',
  );
});

test('diagnose reports a platform that rejects an idempotency key of 255 characters', async () => {
  const { diagnosis } = await throughGateway({
    request: ({ headers }) => {
      if (String(headers['x-idempotency-key']).length > 200) headers['x-idempotency-key'] = 'x'.repeat(256);
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.similar-keys']);
  expect(findResult(diagnosis, 'charge.similar-keys')).toMatchObject({
    message: expect.stringMatching(/^A key of 255 characters: payments\.create: /),
    remedy: 'Use short keys.',
  });
});

test('diagnose detects a gateway that drops long idempotency keys', async () => {
  const { diagnosis } = await throughGateway({
    request: ({ headers }) => {
      if (String(headers['x-idempotency-key']).length > 64) delete headers['x-idempotency-key'];
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.similar-keys']);
  expect(findResult(diagnosis, 'charge.similar-keys').message).toBe(
    'Two requests with one long key made two payments.',
  );
});

test('diagnose fails for a payment without an id, and skips the checks that compare ids', async () => {
  const { diagnosis } = await throughGateway({
    response(message) {
      message.body = Buffer.from(message.body.toString().replace(/^{"id":"[^"]+",/, '{'));
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.same-key']);
  expect(findResult(diagnosis, 'charge.same-key').message).toBe(
    'The payment has no id, which the API docs require.',
  );
  expect(findResult(diagnosis, 'charge.lost-response').status).toBe('skipped');
});

test('diagnose suggests turning off the check payment.reference if the platform changes the externalReference', async () => {
  const { diagnosis } = await throughGateway({
    response(message) {
      message.body = Buffer.from(
        message.body.toString().replace('"externalReference":"', '"externalReference":"MERCHANT-'),
      );
    },
  });
  const { message, remedy } = findResult(diagnosis, 'charge.same-key');
  expect(message).toContain('its externalReference is not the externalId that was sent');
  expect(remedy).toContain("set checks: { 'payment.reference': false }");
});

test('diagnose fails if a retry after a lost response does not return the existing payment', async () => {
  let payments = 0;
  const { diagnosis } = await throughGateway({
    response(message, path) {
      if (path !== '/v1/payments') return;
      payments++;
      if (payments > 4) message.status = 409;
    },
  });
  expect(findResult(diagnosis, 'charge.lost-response')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('could not be resumed'),
  });
});

test('diagnose fails for a base address without a server, and explains why it skips the other checks', async () => {
  const sandbox = sandboxForTest();
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const diagnosis = await examine(optionsAt(url, sandbox));
  expect(findResult(diagnosis, 'connect')).toMatchObject({
    status: 'failed',
    message: '127.0.0.1: ECONNREFUSED.',
  });
  for (const name of ['auth.oauth', 'auth.both'] as const)
    expect(findResult(diagnosis, name).remedy).toBe('Repair the connection first.');
  expect(findResult(diagnosis, 'latency')).toEqual({
    status: 'skipped',
    message: 'The platform did not respond.',
  });
  expect(diagnosis.ok).toBe(false);
});

/** Reads the externalId of a payment's request, or its echo in the response. */
const referenceIn = (body: Buffer): string => {
  const { externalId, externalReference } = JSON.parse(body.toString());
  return externalId ?? externalReference;
};

test('diagnose detects a platform that makes one payment of each of the requests that arrive at once with one key', async () => {
  const open = new Set<string>();
  let other = 0;
  const { diagnosis } = await throughGateway({
    request({ headers, body }, path) {
      if (path !== '/v1/payments') return;
      const reference = referenceIn(body);
      if (open.has(reference)) headers['x-idempotency-key'] = `other-${other++}`;
      open.add(reference);
    },
    response({ body, status }, path) {
      if (path === '/v1/payments' && status < 300) open.delete(referenceIn(body));
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.at-once']);
  expect(findResult(diagnosis, 'charge.at-once')).toEqual({
    status: 'failed',
    message: expect.stringMatching(/^4 requests at once with one key made [2-4] payments: [\w-]{36}, /),
    remedy: expect.stringContaining('two clicks are two charges'),
  });
});

test('diagnose does not accept a platform that hides the second of two payments at once behind a 500', async () => {
  const open = new Set<string>();
  const responded = new Set<string>();
  let other = 0;
  const { sandbox, diagnosis } = await throughGateway({
    request({ headers, body }, path) {
      if (path !== '/v1/payments') return;
      const reference = referenceIn(body);
      if (open.has(reference)) headers['x-idempotency-key'] = `other-${other++}`;
      open.add(reference);
    },
    response(message, path) {
      if (path !== '/v1/payments' || message.status !== 201) return;
      const reference = referenceIn(message.body);
      open.delete(reference);
      if (responded.has(reference)) Object.assign(message, { status: 500, body: Buffer.from('{}') });
      responded.add(reference);
    },
  });
  expect(sandbox.ledger.charges.length).toBeGreaterThan(8);
  expect(findResult(diagnosis, 'charge.at-once')).toEqual({
    status: 'failed',
    message: expect.stringMatching(/^[1-3] of 4 requests at once with one key have an unknown outcome: /),
    remedy: expect.stringMatching(/^Each may have made a payment\. .* externalId doctor-[\w-]{36}\.$/),
  });
});

test('diagnose accepts a platform that rejects the second of two requests at once with one key', async () => {
  const open = new Set<string>();
  const { diagnosis } = await throughGateway({
    request(message, path) {
      if (path !== '/v1/payments') return;
      const reference = referenceIn(message.body);
      if (open.has(reference)) message.body = Buffer.from('{"amount":"rejected"}');
      open.add(reference);
    },
    response({ body, status }, path) {
      if (path === '/v1/payments' && status < 300) open.delete(referenceIn(body));
    },
  });
  expect(findResult(diagnosis, 'charge.at-once').status).toBe('ok');
});

/** Examines a platform that receives each reused key as a new one, and changes the responses to it. */
function throughReuse(change: Required<Changes>['response'], isCharged = true) {
  const orders = new Map<unknown, string>();
  let isReused = false;
  let other = 0;
  return throughGateway({
    request(message, path) {
      if (path !== '/v1/payments') return;
      const key = message.headers['x-idempotency-key'];
      const order = message.body.toString();
      isReused = (orders.get(key) ?? order) !== order;
      if (isReused && isCharged) message.headers['x-idempotency-key'] = `other-${other++}`;
      if (!isReused) orders.set(key, order);
    },
    response(message, path) {
      if (path === '/v1/payments' && isReused) change(message, path);
    },
  });
}

const reuseChecks = ['charge.other-payload', 'charge.other-order'] as const;

test.each([
  [408, 'application/json', '{"message":"Too late"}'],
  [303, 'application/json', '{}'],
  [201, 'text/html', '<title>Sign in</title>'],
  [409, 'text/html', '<title>Conflict</title>'],
  [400, 'text/html', '<title>Bad request</title>'],
  [423, 'application/json', '{"message":"Locked"}'],
  [502, 'application/json', '{}'],
])(
  'diagnose does not accept a platform that charges a reused key and returns %d with %s: %j',
  async (status, type, body) => {
    const { diagnosis } = await throughReuse((message) => {
      Object.assign(message, { status, body: Buffer.from(body) });
      message.headers['content-type'] = type;
    });
    for (const name of reuseChecks)
      expect(findResult(diagnosis, name)).toEqual({
        status: 'failed',
        message: expect.stringMatching(
          /^The key with another (payload|externalId): nothing shows that it was rejected\. request: /,
        ),
        remedy: expect.stringMatching(
          /^Do not go live before you know whether it was charged\. Ask the platform for every payment with the externalId doctor-[\w-]{36}\.$/,
        ),
      });
    expect(diagnosis.suggestion.statuses).toBeUndefined();
  },
);

test.each([
  ...[401, 403, 404, 405, 407, 429].map((status) => [status, '{"message":"Blocked"}'] as const),
  [400, ''] as const,
  [400, 'Bad request'] as const,
  [413, '<title>Too large</title>'] as const,
])('diagnose does not take a %d with the body %j for the rejection of a reused key', async (status, body) => {
  const { diagnosis } = await throughReuse((message) => {
    Object.assign(message, { status, body: Buffer.from(body) });
  });
  for (const name of reuseChecks)
    expect(findResult(diagnosis, name)).toEqual({
      status: 'failed',
      message: expect.stringMatching(
        /^The key with another (payload|externalId): nothing shows that it was rejected\. request: /,
      ),
      remedy: 'A gateway can be the reason. Let these requests reach the platform, and run it again.',
    });
  expect(diagnosis.suggestion.statuses).toBeUndefined();
});

test.each([409, 422])('diagnose accepts and suggests a %d in JSON for a reused key', async (status) => {
  const { diagnosis } = await throughReuse((message) => {
    message.status = status;
  }, false);
  for (const name of reuseChecks)
    expect(findResult(diagnosis, name)).toEqual({
      status: 'ok',
      message: expect.stringMatching(
        new RegExp(`^The key with another (payload|externalId): rejected with ${status}\\.$`),
      ),
    });
  expect(diagnosis.suggestion.statuses).toEqual({ keyReused: status });
});

test('diagnose accepts a platform that returns the first payment for a reused key', async () => {
  const first = new Map<unknown, Buffer>();
  const { diagnosis } = await throughGateway({
    request(message, path) {
      if (path !== '/v1/payments') return;
      const key = message.headers['x-idempotency-key'];
      message.body = first.get(key) ?? message.body;
      first.set(key, message.body);
    },
  });
  for (const name of reuseChecks)
    expect(findResult(diagnosis, name)).toEqual({
      status: 'ok',
      message: expect.stringMatching(/: the first payment was returned, and nothing was charged\.$/),
    });
});

test('diagnose detects that the key is dropped although the platform recognises the externalId', async () => {
  const { diagnosis } = await throughGateway({
    request({ headers, body }, path) {
      if (path === '/v1/payments') headers['x-idempotency-key'] = referenceIn(body);
    },
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['charge.other-order']);
  expect(findResult(diagnosis, 'charge.other-order')).toEqual({
    status: 'failed',
    message: expect.stringMatching(/^The key with another externalId made another payment, [\w-]{36}\.$/),
    remedy: expect.stringContaining('Let x-idempotency-key pass every gateway and proxy.'),
  });
});

test.each([
  ['in reais', (amount: number) => amount / 100, 'amount is 1, not 100'],
  ['times one hundred', (amount: number) => amount * 100, 'amount is 10000, not 100'],
  ['as strings', (amount: number) => String(amount), 'amount is "100", not 100'],
])(
  'diagnose blames the unit of the amounts, and no gateway, if a platform returns amounts %s',
  async (_, change, shown) => {
    const { diagnosis } = await throughGateway({
      response(message, path) {
        if (path !== '/v1/payments' || message.status >= 300) return;
        const payment = JSON.parse(message.body.toString());
        message.body = Buffer.from(JSON.stringify({ ...payment, amount: change(payment.amount) }));
      },
    });
    const { message, remedy } = findResult(diagnosis, 'charge.body');
    expect(message).toContain(shown);
    expect(remedy).toContain('amounts must be integers in cents');
    expect(remedy).not.toContain('gateway');
  },
);

test('diagnose reports the differences of payments in the drift check, and not as if there were none', async () => {
  const { diagnosis } = await throughGateway({
    response(message, path) {
      if (path !== '/v1/payments' || message.status >= 300) return;
      const payment = JSON.parse(message.body.toString());
      message.body = Buffer.from(JSON.stringify({ ...payment, anticipation: {} }));
    },
  });
  expect(diagnosis.drift).toHaveLength(1);
  expect(findResult(diagnosis, 'drift')).toMatchObject({
    status: 'warning',
    message: '1 difference from the API docs.',
  });
});

test('diagnose shows no field name that contains a secret or personal data', async () => {
  const sandbox = sandboxForTest({ now: undefined });
  const { url } = await sandbox.listen();
  const { clientSecret = '' } = sandbox.clientOptions();
  const webhookSecret = 'webhook-secret-0123456789';
  const names = [
    clientSecret,
    `x_${clientSecret.toUpperCase()}_y`,
    webhookSecret,
    'doctor@example.com',
    '12345678909',
    'João Conceição',
    'ana.souza@shop.example',
    'Ana Souza',
    `pix_${clientSecret}`,
  ];
  const gateway = await startGateway(url, {
    response(message) {
      if (message.status >= 300) return;
      const body = JSON.parse(message.body.toString());
      const added = Object.fromEntries(names.map((name) => [name, { [name]: 1 }]));
      message.body = Buffer.from(JSON.stringify({ ...body, ...added }));
      message.headers[`${clientSecret}-request-id`] = 'r-1';
      delete message.headers['x-request-id'];
    },
  });
  const diagnosis = await examine(optionsAt(gateway, sandbox), { charge: true, webhookSecret });
  const printed = JSON.stringify(diagnosis).toLowerCase();
  expect(diagnosis.drift.length).toBeGreaterThan(3);
  expect(printed).toContain('[redacted]');
  for (const name of names) expect(printed).not.toContain(name.toLowerCase());
  expect(printed).not.toContain('request-id');
});

test('diagnose never tells merchants to set their clock if the platform’s clock differs', async () => {
  for (const seconds of [-600, -60, 60, 600]) {
    const { diagnosis } = await throughGateway(
      {
        response: ({ headers }) => {
          headers.date = new Date(Date.now() + seconds * 1_000).toUTCString();
        },
      },
      false,
    );
    expect(findResult(diagnosis, 'clock').remedy).toBe(
      "Compare this machine's clock with a time server. If it is right, leave it, and report the platform's clock.",
    );
  }
});
