import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pause } from '../../../src/sandbox/http/faulty-answer.js';
import type { FaultRule, Sandbox } from '../../../src/sandbox/index.js';
import { call, openCard, pay, pix, sandboxForTest } from '../support.js';

/** The answer, with its body unread. */
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

/** The journal's entry of the request that a fault hit. */
const hit = (sandbox: Sandbox) => sandbox.journal.requests.find(({ fault }) => fault !== undefined);

afterEach(() => {
  vi.useRealTimers();
});

test('a pause leaves no timer and no listener', async () => {
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

describe.each(phases)('%s: %i charges', (phase, charges) => {
  const spoiled = (fault: FaultRule['fault']) => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'payments.create', phase, fault });
    return sandbox;
  };

  /** After a fault the next request is answered normally, and a replay finds what was executed. */
  const retry = async (sandbox: Sandbox) => {
    expect(sandbox.ledger.charges).toHaveLength(charges);
    expect((await raw(sandbox)).status).toBe(charges === 1 ? 200 : 201);
    expect(sandbox.ledger.charges).toHaveLength(1);
  };

  test('reset rejects as fetch does', async () => {
    const sandbox = spoiled('reset');
    const error = await raw(sandbox).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET', syscall: 'read' } });
    expect(hit(sandbox)?.status).toBeUndefined();
    await retry(sandbox);
  });

  test('hang ends when the caller gives up, with the reason of the caller', async () => {
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

  test('hang ends when the sandbox is closed', async () => {
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

  test('truncate gives the head and half of the body', async () => {
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

  test('garbage is 200 with an HTML page', async () => {
    const sandbox = spoiled('garbage');
    const response = await raw(sandbox);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('<h1>');
    await retry(sandbox);
  });

  test('empty is 200 without a body', async () => {
    const sandbox = spoiled('empty');
    const response = await raw(sandbox);
    expect([response.status, response.body, await response.text()]).toEqual([200, null, '']);
    await retry(sandbox);
  });

  test('invalid-json has the content type of JSON', async () => {
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
  ])('%j is sent as the answer', async (fault, text, type) => {
    const sandbox = spoiled(fault);
    const response = await raw(sandbox);
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
      fault.status,
      text,
      type,
    ]);
    for (const [name, value] of Object.entries('headers' in fault ? fault.headers : {}))
      expect(response.headers.get(name)).toBe(value);
    expect(hit(sandbox)).toMatchObject({ status: fault.status, fault });
    await retry(sandbox);
  });

  test('delay is real time before the fault', async () => {
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

  test('delay ends when the caller gives up, and leaves no timer', async () => {
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

  test('delay ends when the sandbox is closed', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'payments.create', phase, fault: 'empty', delay: '1h' });
    const outcome = expect(raw(sandbox)).rejects.toThrow('The sandbox is closed.');
    await call(sandbox, '/nowhere');
    await sandbox.close();
    await outcome;
  });
});

describe('an unknown outcome at the acquirer', () => {
  test('protects the key of any payment, and is resolved as that payment', async () => {
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

  test('may happen again after it was resolved', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: 'acquirer-unknown', times: 2 });
    expect((await pay(sandbox, openCard(), 'key')).status).toBe(502);
    sandbox.control.payments.resolve('key', 'not-created');
    expect((await pay(sandbox, openCard(), 'key')).status).toBe(502);
    sandbox.control.payments.resolve('key', 'not-created');
    expect((await pay(sandbox, openCard(), 'key')).status).toBe(201);
  });

  test('does not affect a request that is refused before the acquirer', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix(), 'key');
    sandbox.faults.add({ fault: 'acquirer-unknown', times: 2 });
    expect((await pay(sandbox, pix(), 'key')).status).toBe(200);
    expect((await pay(sandbox, pix({ amount: 1 }), 'other')).status).toBe(400);
    expect((await pay(sandbox, pix(), 'other')).status).toBe(201);
  });
});

describe('which requests a fault hits', () => {
  const statuses = async (sandbox: Sandbox, count: number) => {
    const seen = [];
    for (let index = 0; index < count; index++) seen.push((await pay(sandbox, pix())).status);
    return seen;
  };

  test('from the nth, as many as times, counted from when it was added', async () => {
    const sandbox = sandboxForTest();
    await statuses(sandbox, 2);
    sandbox.faults.add({ operation: 'payments.create', nth: 2, times: 2, fault: { status: 503 } });
    expect(await statuses(sandbox, 5)).toEqual([201, 503, 503, 201, 201]);
  });

  test('only those of its operation', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'webhooks.list', fault: { status: 503 } });
    expect((await pay(sandbox, pix())).status).toBe(201);
    expect((await call(sandbox, '/nowhere')).status).toBe(404);
    expect((await call(sandbox, '/v1/webhooks')).status).toBe(503);
  });

  test.each(['*', undefined] as const)(
    'operation %s: any request, also one that is refused',
    async (operation) => {
      const sandbox = sandboxForTest();
      sandbox.faults.add({ ...(operation && { operation }), fault: { status: 503 }, times: 3 });
      expect((await call(sandbox, '/nowhere')).status).toBe(503);
      expect((await call(sandbox, '/v1/webhooks', { headers: { 'client-id': 'x' } })).status).toBe(503);
      expect((await pay(sandbox, pix())).status).toBe(503);
      expect((await pay(sandbox, pix())).status).toBe(201);
    },
  );

  test('one fault at a time, in the order they were added', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: { status: 501 } });
    sandbox.faults.add({ fault: { status: 502 } });
    expect(await statuses(sandbox, 3)).toEqual([501, 502, 201]);
  });

  test('pending lists the faults that are left, and clear removes them', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ nth: 2, times: 2, fault: 'empty', delay: '0s' });
    await statuses(sandbox, 2);
    expect(sandbox.faults.pending).toEqual([
      {
        operation: '*',
        nth: 2,
        times: 2,
        phase: 'before-commit',
        fault: 'empty',
        delay: 0,
        seen: 2,
        left: 1,
      },
    ]);
    sandbox.faults.clear();
    expect(sandbox.faults.pending).toEqual([]);
    expect(await statuses(sandbox, 1)).toEqual([201]);
  });

  test('later changes to a rule have no effect', async () => {
    const sandbox = sandboxForTest();
    const fault = { status: 503, headers: { a: 'b' } };
    sandbox.faults.add({ fault });
    fault.status = 504;
    expect(await statuses(sandbox, 1)).toEqual([503]);
  });
});

const cannotBeSent = 'fault is an answer that cannot be sent: ';

test.each<[string, unknown]>([
  ['must be an object', null],
  [
    'opperation is an unknown field (did you mean operation? known: ',
    { opperation: 'payments.create', fault: 'reset' },
  ],
  ["operation must be 'payments.create', ", { operation: 'payments.refund', fault: 'reset' }],
  ['nth must be a number of requests: an integer of at least 1', { nth: 0, fault: 'reset' }],
  ['nth must be a number of requests: an integer of at least 1', { nth: 1.5, fault: 'reset' }],
  ['times must be a number of requests: an integer of at least 1', { times: 0, fault: 'reset' }],
  ['times must be a number of requests: an integer of at least 1', { times: '2', fault: 'reset' }],
  ["phase must be 'before-commit' or 'after-commit'", { phase: 'sometimes', fault: 'reset' }],
  ["fault must be 'reset', 'hang', ", { fault: 'explode' }],
  ["fault must be 'reset', 'hang', ", {}],
  ["fault must be 'reset', 'hang', ", { fault: null }],
  ["fault must be 'reset', 'hang', ", { fault: [503] }],
  ['fault.status must be a status: an integer from 200 to 599', { fault: {} }],
  ['fault.status must be a status: an integer from 200 to 599', { fault: { status: 99 } }],
  ['fault.status must be a status: an integer from 200 to 599', { fault: { status: '503' } }],
  ['fault.code is an unknown field (known: status, headers, body)', { fault: { status: 503, code: 'x' } }],
  ['fault.Body is an unknown field (did you mean body? ', { fault: { status: 503, Body: 'x' } }],
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
  ["the fault 'acquirer-unknown' takes", { fault: 'acquirer-unknown', operation: 'webhooks.list' }],
  ["the fault 'acquirer-unknown' takes", { fault: 'acquirer-unknown', phase: 'after-commit' }],
])('a rule is refused: %s', (message, rule) => {
  const { faults } = sandboxForTest();
  expect(() => faults.add(rule as FaultRule)).toThrow(TypeError);
  expect(() => faults.add(rule as FaultRule)).toThrow(`faults.add: ${message}`);
  expect(faults.pending).toEqual([]);
});

test('a rule that breaks several rules is refused in one message', () => {
  const rule = { nth: 0, delay: 'soon', fault: { status: 1, reason: 'x' } } as unknown as FaultRule;
  expect(() => sandboxForTest().faults.add(rule)).toThrow(
    /^faults\.add: nth must .+; fault\.reason is an unknown field .+; fault\.status must .+; delay must /,
  );
});

test('an answer is copied when its rule is added', () => {
  const body = { a: [1] };
  const headers = { b: 'c' };
  const { faults } = sandboxForTest();
  faults.add({ fault: { status: 503, headers, body } });
  body.a.push(2);
  headers.b = 'd';
  expect(faults.pending[0]?.fault).toEqual({ status: 503, headers: { b: 'c' }, body: { a: [1] } });
});
