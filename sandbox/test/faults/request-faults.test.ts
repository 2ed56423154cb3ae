import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pause } from '../../http/apply-fault.js';
import type { FaultRule, Sandbox } from '../../index.js';
import { call, openCard, pay, pix, sandboxForTest } from '../support.js';

/** Returns the response with its body unread. */
function raw(sandbox: Sandbox, signal?: AbortSignal): Promise<Response> {
  const { baseUrl, clientId, clientSecret, fetch } = sandbox.clientOptions();
  return fetch(`${baseUrl}/v1/payments`, {
    method: 'POST',
    headers: {
      'client-id': clientId,
      'client-secret': clientSecret,
      'content-type': 'application/json',
      'x-idempotency-key': 'key',
    },
    body: JSON.stringify(pix()),
    ...(signal !== undefined && { signal }),
  });
}

/** Finds the journal's entry of the request that a fault hit. */
const hit = (sandbox: Sandbox) => sandbox.journal.requests.find(({ fault }) => fault !== undefined);

afterEach(() => {
  vi.useRealTimers();
});

test('a request fault’s delay leaves no listener on the caller’s abort signal', async () => {
  const { signal } = new AbortController();
  await pause(1, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await expect(pause(Number.POSITIVE_INFINITY, signal, AbortSignal.abort('reason'))).rejects.toBe('reason');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

const phases = [
  ['before-commit', 0],
  ['after-commit', 1],
] as const;

describe.each(phases)('at the phase %s (charges in the ledger: %i)', (phase, charges) => {
  const spoiled = (fault: FaultRule['fault']) => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'payments.create', phase, fault });
    return sandbox;
  };

  /**
   * Checks that after a fault the next request gets a normal response, and that a replay finds the payment.
   */
  const retry = async (sandbox: Sandbox) => {
    expect(sandbox.ledger.charges).toHaveLength(charges);
    expect((await raw(sandbox)).status).toBe(charges === 1 ? 200 : 201);
    expect(sandbox.ledger.charges).toHaveLength(1);
  };

  test('the fault named reset makes fetch reject like a real connection reset', async () => {
    const sandbox = spoiled('reset');
    const error = await raw(sandbox).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET', syscall: 'read' } });
    expect(hit(sandbox)?.status).toBeUndefined();
    await retry(sandbox);
  });

  test('the fault hang ends when the caller aborts, with the caller’s reason', async () => {
    const sandbox = spoiled('hang');
    const controller = new AbortController();
    const reason = new Error('enough');
    const pending = raw(sandbox, controller.signal);
    await call(sandbox, '/v1/webhooks');
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(hit(sandbox)?.status).toBeUndefined();
    await retry(sandbox);
  });

  test('the fault hang ends when the sandbox is closed', async () => {
    const sandbox = spoiled('hang');
    const pending = raw(sandbox);
    const outcome = expect(pending).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { message: 'other side closed' },
    });
    await call(sandbox, '/v1/webhooks');
    await sandbox.close();
    await outcome;
  });

  test('the fault truncate sends the headers and half of the body', async () => {
    const sandbox = spoiled('truncate');
    const response = await raw(sandbox);
    expect(response.status).toBe(charges === 1 ? 201 : 200);
    const length = Number(response.headers.get('content-length'));
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value).toHaveLength(Math.floor(length / 2));
    await expect(reader?.read()).rejects.toMatchObject({
      message: 'terminated',
      cause: { code: 'UND_ERR_SOCKET' },
    });
    await retry(sandbox);
  });

  test('the fault garbage responds with 200 and an HTML page', async () => {
    const sandbox = spoiled('garbage');
    const response = await raw(sandbox);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('<h1>');
    await retry(sandbox);
  });

  test('the fault empty responds with 200 and no body', async () => {
    const sandbox = spoiled('empty');
    const response = await raw(sandbox);
    expect([response.status, response.body, await response.text()]).toEqual([200, null, '']);
    await retry(sandbox);
  });

  test('the fault invalid-json responds with incomplete JSON and the content type application/json', async () => {
    const sandbox = spoiled('invalid-json');
    const response = await raw(sandbox);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    await expect(response.json()).rejects.toThrow(SyntaxError);
    await retry(sandbox);
  });

  test.each([
    [
      { status: 503, headers: { 'retry-after': '7' }, body: { error: 'busy' } },
      '{"error":"busy"}',
      'application/json',
    ],
    [{ status: 429, headers: { 'content-type': 'text/x' }, body: 'slow down' }, 'slow down', 'text/x'],
    [{ status: 500, body: new Uint8Array([104, 105]) }, 'hi', null],
    [{ status: 204 }, '', null],
    [{ status: 200, body: null }, 'null', 'application/json'],
  ])('a fault can be a response, which the sandbox then sends: %j', async (fault, text, type) => {
    const sandbox = spoiled(fault);
    const response = await raw(sandbox);
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
      fault.status,
      text,
      type,
    ]);
    for (const [name, value] of Object.entries('headers' in fault ? fault.headers : {}))
      expect(response.headers.get(name)).toBe(value);
    expect(hit(sandbox)).toMatchObject({ status: fault.status, fault: { status: fault.status } });
    await retry(sandbox);
  });

  test('a fault’s delay passes in real time before the fault takes effect', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'payments.create', phase, fault: 'empty', delay: '2s' });
    const shown = vi.fn();
    const pending = raw(sandbox).then(shown);
    await call(sandbox, '/nowhere');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(shown).not.toHaveBeenCalled();
    expect(sandbox.ledger.charges).toHaveLength(charges);
    await vi.advanceTimersByTimeAsync(1);
    await pending;
    expect(shown).toHaveBeenCalledOnce();
  });

  test('a fault’s delay ends when the caller aborts, and leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'payments.create', phase, fault: 'empty', delay: '1h' });
    const controller = new AbortController();
    const pending = raw(sandbox, controller.signal);
    await call(sandbox, '/nowhere');
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect(vi.getTimerCount()).toBe(0);
    expect(hit(sandbox)?.status).toBeUndefined();
    await retry(sandbox);
  });

  test('a fault’s delay ends when the sandbox is closed', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'payments.create', phase, fault: 'empty', delay: '1h' });
    const outcome = expect(raw(sandbox)).rejects.toThrow('The sandbox is closed.');
    await call(sandbox, '/nowhere');
    await sandbox.close();
    await outcome;
  });
});

describe('a request fault in the middle of a response', () => {
  /** Returns the number of body bytes that have arrived. */
  const arriving = async (rule: FaultRule) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sandbox = sandboxForTest();
    sandbox.faults.add(rule);
    const response = await raw(sandbox);
    const length = Number(response.headers.get('content-length'));
    const seen = { length: 0 };
    const reading = (async () => {
      for await (const chunk of response.body ?? []) seen.length += chunk.length;
    })();
    return { length, seen, reading };
  };

  test('the fault { slow } sends the body in ten pieces, and the last one after the whole time', async () => {
    const { length, seen, reading } = await arriving({ fault: { slow: '10s' } });
    await vi.advanceTimersByTimeAsync(999);
    expect(seen.length).toBe(0);
    for (let piece = 1; piece < 10; piece++) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(seen.length).toBe(Math.floor((length * piece) / 10));
    }
    await vi.advanceTimersByTimeAsync(1);
    await reading;
    expect(seen.length).toBe(length);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('the fault { slow } continues even if the caller does not read the response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: { slow: '10s' } });
    const response = await raw(sandbox);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await response.json()).toMatchObject({ status: 'waiting_payment' });
  });

  test('a fault’s delay at mid-response begins after the first half of the body', async () => {
    const { length, seen, reading } = await arriving({ fault: 'reset', phase: 'mid-response', delay: '5s' });
    const outcome = expect(reading).rejects.toMatchObject({ message: 'terminated' });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(seen.length).toBe(Math.floor(length / 2));
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
  });

  test('the fault { slow } ends when the body is cancelled, and leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: { slow: '1h' } });
    const response = await raw(sandbox);
    expect(vi.getTimerCount()).toBe(1);
    await response.body?.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the fault acquirer-unknown', () => {
  test('makes the payment’s idempotency key return a 409 until the payment is resolved as created', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: 'acquirer-unknown' });
    expect((await call(sandbox, '/v1/webhooks')).status).toBe(200);
    expect((await pay(sandbox, pix(), 'key')).status).toBe(502);
    expect((await pay(sandbox, pix(), 'key')).status).toBe(409);
    expect(sandbox.ledger.charges).toEqual([]);
    sandbox.control.payments.resolve('key', 'created');
    const replay = await pay(sandbox, pix(), 'key');
    expect([replay.status, replay.body.status]).toEqual([200, 'waiting_payment']);
    expect(sandbox.ledger.chargesFor('key')).toHaveLength(1);
  });

  test('can hit the same idempotency key again after the payment was resolved', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: 'acquirer-unknown', times: 2 });
    expect((await pay(sandbox, openCard(), 'key')).status).toBe(502);
    sandbox.control.payments.resolve('key', 'not-created');
    expect((await pay(sandbox, openCard(), 'key')).status).toBe(502);
    sandbox.control.payments.resolve('key', 'not-created');
    expect((await pay(sandbox, openCard(), 'key')).status).toBe(201);
  });

  test('does not affect a request that is rejected before it would reach the acquirer', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix(), 'key');
    sandbox.faults.add({ fault: 'acquirer-unknown', times: 2 });
    expect((await pay(sandbox, pix(), 'key')).status).toBe(200);
    expect((await pay(sandbox, pix({ amount: 1 }), 'other')).status).toBe(400);
    expect((await pay(sandbox, pix(), 'other')).status).toBe(201);
  });
});

describe('a fault rule', () => {
  const statuses = async (sandbox: Sandbox, count: number) => {
    const seen = [];
    for (let index = 0; index < count; index++) seen.push((await pay(sandbox, pix())).status);
    return seen;
  };

  test('starts at its nth request and hits the given number of times', async () => {
    const sandbox = sandboxForTest();
    await statuses(sandbox, 2);
    sandbox.faults.add({ operation: 'payments.create', nth: 2, times: 2, fault: { status: 503 } });
    expect(await statuses(sandbox, 5)).toEqual([201, 503, 503, 201, 201]);
  });

  test('hits only requests of its operation', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'webhooks.list', fault: { status: 503 } });
    expect((await pay(sandbox, pix())).status).toBe(201);
    expect((await call(sandbox, '/nowhere')).status).toBe(404);
    expect((await call(sandbox, '/v1/webhooks')).status).toBe(503);
  });

  test.each(['*', undefined] as const)(
    'hits any request if its operation is %s, even a request that the sandbox would reject',
    async (operation) => {
      const sandbox = sandboxForTest();
      sandbox.faults.add({ ...(operation && { operation }), fault: { status: 503 }, times: 3 });
      expect((await call(sandbox, '/nowhere')).status).toBe(503);
      expect((await call(sandbox, '/v1/webhooks', { headers: { 'client-id': 'x' } })).status).toBe(503);
      expect((await pay(sandbox, pix())).status).toBe(503);
      expect((await pay(sandbox, pix())).status).toBe(201);
    },
  );

  test('takes precedence over newer rules for the same request', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: { status: 501 } });
    sandbox.faults.add({ fault: { status: 502 } });
    expect(await statuses(sandbox, 3)).toEqual([501, 502, 201]);
  });

  test('is listed in faults.pending until faults.clear removes it', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ nth: 2, times: 2, fault: 'empty', delay: '0s' });
    await statuses(sandbox, 2);
    expect(sandbox.faults.pending).toEqual([
      {
        id: 1,
        operation: '*',
        nth: 2,
        times: 2,
        rate: undefined,
        phase: 'before-commit',
        fault: 'empty',
        delay: 0,
        seen: 2,
        hits: 1,
        left: 1,
      },
    ]);
    sandbox.faults.clear();
    expect(sandbox.faults.pending).toEqual([]);
    expect(await statuses(sandbox, 1)).toEqual([201]);
  });

  test('is not affected by later changes to the rule object', async () => {
    const sandbox = sandboxForTest();
    const fault = { status: 503, headers: { a: 'b' } };
    sandbox.faults.add({ fault });
    fault.status = 504;
    expect(await statuses(sandbox, 1)).toEqual([503]);
  });
});

const cannotBeSent = 'fault is a response that cannot be sent: ';

test.each<[string, unknown]>([
  ['must be an object', null],
  [
    'opperation is an unknown field. Did you mean operation?',
    { opperation: 'payments.create', fault: 'reset' },
  ],
  ["operation must be '*' or the name of a client method", { operation: 'payments.refund', fault: 'reset' }],
  ['nth must be a number of requests: an integer of at least 1', { nth: 0, fault: 'reset' }],
  ['nth must be a number of requests: an integer of at least 1', { nth: 1.5, fault: 'reset' }],
  ['times must be a number of requests: an integer of at least 1', { times: 0, fault: 'reset' }],
  ['times must be a number of requests: an integer of at least 1', { times: '2', fault: 'reset' }],
  [
    "phase must be 'before-read', 'before-commit', 'after-commit' or 'mid-response'",
    { phase: 'sometimes', fault: 'reset' },
  ],
  ["fault must be 'reset', 'hang', ", { fault: 'explode' }],
  ["fault must be 'reset', 'hang', ", {}],
  ["fault must be 'reset', 'hang', ", { fault: null }],
  ["fault must be 'reset', 'hang', ", { fault: [503] }],
  ['fault.status must be a status: an integer from 200 to 599', { fault: {} }],
  ['fault.status must be a status: an integer from 200 to 599', { fault: { status: 99 } }],
  ['fault.status must be a status: an integer from 200 to 599', { fault: { status: '503' } }],
  ['fault.code is an unknown field. Known: status, headers, body', { fault: { status: 503, code: 'x' } }],
  ['fault.Body is an unknown field. Did you mean body?', { fault: { status: 503, Body: 'x' } }],
  ['fault.headers must be a plain object', { fault: { status: 503, headers: 'retry-after: 7' } }],
  ['fault.headers must be a plain object', { fault: { status: 503, headers: { 'retry-after': 7 } } }],
  ['fault.headers must be a plain object', { fault: { status: 503, headers: new Headers({ a: 'b' }) } }],
  [cannotBeSent, { fault: { status: 204, body: 'text' } }],
  [cannotBeSent, { fault: { status: 200, headers: { 'bad name': 'x' } } }],
  [cannotBeSent, { fault: { status: 200, body: 1n } }],
  [cannotBeSent, { fault: { status: 200, body: () => 1 } }],
  ['delay must be a duration: ', { fault: 'reset', delay: 'soon' }],
  ['delay must be a duration: ', { fault: 'reset', delay: Number.NaN }],
  ['delay must be a duration: ', { fault: 'reset', delay: -1 }],
  ['fault.slow must be a duration: ', { fault: { slow: 'soon' } }],
  ['fault.slow must be a duration: ', { fault: { slow: 0 } }],
  ['fault.status is an unknown field. Known: slow', { fault: { slow: '1s', status: 200 } }],
  ['id must be a non-empty string or an integer', { id: '', fault: 'reset' }],
  ['rate must be a probability: a number above 0, at most 1', { rate: 0, fault: 'reset' }],
  ['rate must be a probability: a number above 0, at most 1', { rate: 1.1, fault: 'reset' }],
  ['rate must be a probability: a number above 0, at most 1', { rate: '10%', fault: 'reset' }],
  ['nth and rate cannot be combined. Leave one of them out', { rate: 0.5, nth: 2, fault: 'reset' }],
  ["the fault 'acquirer-unknown' can only", { fault: 'acquirer-unknown', operation: 'webhooks.list' }],
  ["the fault 'acquirer-unknown' needs", { fault: 'acquirer-unknown', phase: 'after-commit' }],
])('faults.add rejects a rule: %s', (message, rule) => {
  const { faults } = sandboxForTest();
  expect(() => faults.add(rule as FaultRule)).toThrow(TypeError);
  expect(() => faults.add(rule as FaultRule)).toThrow(`faults.add: ${message}`);
  expect(faults.pending).toEqual([]);
});

describe('a fault rule with a rate', () => {
  /** Lists the indexes of the requests that fail. */
  const failures = async (options: object, rule: Omit<FaultRule, 'fault'>, count = 200) => {
    const sandbox = sandboxForTest(options);
    sandbox.faults.add({ fault: { status: 503 }, ...rule });
    const failed = [];
    for (let index = 0; index < count; index++) {
      if ((await call(sandbox, '/v1/webhooks')).status === 503) failed.push(index);
    }
    return { sandbox, failed };
  };

  test('hits its share of the requests, and hits the same requests if the seed is the same', async () => {
    const { failed, sandbox } = await failures({ seed: 1 }, { rate: 0.2 });
    expect(failed.length).toBeGreaterThan(20);
    expect(failed.length).toBeLessThan(60);
    expect(sandbox.faults.pending).toMatchObject([{ rate: 0.2, seen: 200, hits: failed.length }]);
    expect(sandbox.faults.pending[0]).toMatchObject({ times: undefined, left: undefined });
    expect((await failures({ seed: 1 }, { rate: 0.2 })).failed).toEqual(failed);
    expect((await failures({ seed: 2 }, { rate: 0.2 })).failed).not.toEqual(failed);
  });

  test('ends after the given number of hits', async () => {
    const { failed, sandbox } = await failures({}, { rate: 0.5, times: 3 });
    expect(failed).toHaveLength(3);
    expect(sandbox.faults.pending).toEqual([]);
  });

  test('hits every request with a rate of 1', async () => {
    expect((await failures({}, { rate: 1 }, 5)).failed).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('the id of a fault rule', () => {
  test('is the id that the rule states, or the next free number', () => {
    const { faults } = sandboxForTest();
    expect(faults.add({ id: 2, fault: 'reset' }).id).toBe(2);
    expect([1, 2, 3].map(() => faults.add({ fault: 'reset' }).id)).toEqual([1, 3, 4]);
    expect(faults.add({ id: 'lost', fault: 'hang' })).toEqual(faults.pending.at(-1));
    expect(faults.pending.map(({ id }) => id)).toEqual([2, 1, 3, 4, 'lost']);
  });

  test('can be passed to faults.remove, which then removes only that rule', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ id: 'first', fault: { status: 501 } });
    sandbox.faults.add({ id: 'second', fault: { status: 502 } });
    expect(sandbox.faults.remove('first')).toBe(true);
    expect(sandbox.faults.remove('first')).toBe(false);
    expect((await call(sandbox, '/v1/webhooks')).status).toBe(502);
    expect(sandbox.faults.remove('second')).toBe(false);
  });

  test('must differ from the id of every pending rule, and faults.remove rejects an unknown id', () => {
    const { faults } = sandboxForTest();
    faults.add({ id: 'a', fault: 'reset' });
    expect(() => faults.add({ id: 'a', fault: 'hang' })).toThrow(
      "faults.add: id is the id of a pending fault, 'a'",
    );
    expect(() => faults.remove('b')).toThrow(
      "No fault was ever added with the id 'b' (known: 'a'). `faults.add` returns the id.",
    );
    faults.clear();
    expect(faults.add({ id: 'a', fault: 'hang' }).fault).toBe('hang');
  });
});

test('faults.fired lists every hit in order, even after the rules ended or were cleared', async () => {
  const sandbox = sandboxForTest();
  sandbox.faults.add({ id: 'twice', fault: { status: 503 }, times: 2 });
  sandbox.faults.add({
    id: 'early',
    operation: 'webhooks.list',
    fault: { status: 502 },
    phase: 'before-read',
  });
  await call(sandbox, '/nowhere');
  await call(sandbox, '/v1/webhooks');
  await call(sandbox, '/v1/webhooks');
  await call(sandbox, '/v1/webhooks');
  sandbox.faults.clear();
  expect(sandbox.faults.fired).toEqual([
    { id: 'twice', operation: undefined, phase: 'before-commit', fault: { status: 503 } },
    { id: 'early', operation: 'webhooks.list', phase: 'before-read', fault: { status: 502 } },
    { id: 'twice', operation: 'webhooks.list', phase: 'before-commit', fault: { status: 503 } },
  ]);
});

test('a request that a before-read fault hits still counts towards another fault rule’s nth', async () => {
  const sandbox = sandboxForTest();
  sandbox.faults.add({ operation: 'webhooks.list', nth: 2, fault: { status: 503 } });
  sandbox.faults.add({ operation: '*', phase: 'before-read', fault: { status: 502 } });
  const statuses = [];
  for (let index = 0; index < 3; index++) statuses.push((await call(sandbox, '/v1/webhooks')).status);
  expect(statuses).toEqual([502, 503, 200]);
});

test('the journal states a request’s operation even if a before-read fault hits the request', async () => {
  const sandbox = sandboxForTest();
  const { baseUrl, fetch } = sandbox.clientOptions();
  sandbox.faults.add({ phase: 'before-read', fault: { status: 502 }, times: 6 });
  const requests = [
    ['GET', '/v1/payments/3f0c1b2a/boleto'],
    ['HEAD', '/v1/webhooks?x=1'],
    ['PATCH', '/v1/submerchants/withdrawals'],
    ['POST', '/v1/submerchants/withdrawals'],
    ['DELETE', '/v1/webhooks'],
    ['GET', '/v1/payments/a/b/boleto'],
  ] as const;
  for (const [method, path] of requests) expect((await fetch(baseUrl + path, { method })).status).toBe(502);
  expect(sandbox.journal.requests.map(({ operation }) => operation)).toEqual([
    'payments.boleto',
    'webhooks.list',
    'submerchants.update',
    'submerchants.withdrawals.create',
    undefined,
    undefined,
  ]);
});

test('faults.add reports all mistakes in a rule in one message', () => {
  const rule = { nth: 0, delay: 'soon', fault: { status: 1, reason: 'x' } } as unknown as FaultRule;
  expect(() => sandboxForTest().faults.add(rule)).toThrow(
    /^faults\.add has 4 problems\.\n- nth must .+\n- fault\.reason is an unknown field.+\n- fault\.status must .+\n- delay must /,
  );
});

test('faults.add copies the response object of a rule', () => {
  const body = { a: [1] };
  const headers = { b: 'c' };
  const { faults } = sandboxForTest();
  faults.add({ fault: { status: 503, headers, body } });
  body.a.push(2);
  headers.b = 'd';
  expect(faults.pending[0]?.fault).toEqual({ status: 503, headers: { b: 'c' }, body: { a: [1] } });
});

test('a response in a fault is shown like a response of the platform: without secrets, and only in the journal', async () => {
  const sandbox = sandboxForTest();
  const server = await sandbox.listen();
  const body = {
    access_token: 'a-secret-token',
    error: { code: 'busy' },
    card: { number: '4111111111111111' },
  };
  sandbox.faults.add({ fault: { status: 503, headers: { 'set-cookie': 'a-secret-cookie' }, body } });
  expect((await pay(sandbox, pix())).body).toEqual(body);
  sandbox.faults.add({ fault: { status: 502, body: 'a-secret-page' }, phase: 'before-read' });
  await pay(sandbox, pix());
  expect(sandbox.journal.requests).toMatchObject([
    {
      fault: { status: 503 },
      response: { ...body, access_token: '***', card: { number: '************1111' } },
    },
    { fault: { status: 502 }, response: undefined },
  ]);
  const paths = ['journal', 'timeline', 'test', 'faults/fired'];
  for (const path of paths) {
    const text = await (await fetch(`${server.url}/_sandbox/${path}`)).text();
    expect(text).toContain('503');
    expect(text).not.toMatch(/a-secret|411111111/);
  }
});
