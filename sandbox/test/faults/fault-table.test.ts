import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.js';
import type { Fault, FaultPhase, Sandbox } from '../../index.js';
import { requestText } from '../raw-client.js';
import { keyNo, pay, pix, sandboxForTest } from '../support.js';

/** A response as the client sees it. */
interface Seen {
  status?: number;
  /** The response's bytes as latin1, without HTTP framing. */
  body?: string;
  end: 'complete' | 'reset' | 'closed' | 'hangs';
}

const phases: readonly FaultPhase[] = ['before-read', 'before-commit', 'after-commit', 'mid-response'];
const executes = (phase: FaultPhase) => phase === 'after-commit' || phase === 'mid-response';

const half = (text: string) => text.slice(0, Math.floor(text.length / 2));
const note = JSON.stringify({ note: 'A fault kept this request from being carried out.' });
const html = '<!doctype html><title>Welcome</title><h1>It works!</h1>';

/**
 * Maps each fault to the client's view at each phase, given the platform's real response. Rejected phases are
 * absent.
 */
const table: readonly [Fault, (real: string) => Partial<Record<FaultPhase, Seen>>][] = [
  [
    'reset',
    (real) => ({
      'before-read': { end: 'reset' },
      'before-commit': { end: 'reset' },
      'after-commit': { end: 'reset' },
      'mid-response': { status: 201, body: half(real), end: 'reset' },
    }),
  ],
  [
    'hang',
    (real) => ({
      'before-read': { end: 'hangs' },
      'before-commit': { end: 'hangs' },
      'after-commit': { end: 'hangs' },
      'mid-response': { status: 201, body: half(real), end: 'hangs' },
    }),
  ],
  [
    'truncate',
    (real) => ({
      'before-read': { status: 200, body: half(note), end: 'closed' },
      'before-commit': { status: 200, body: half(note), end: 'closed' },
      'after-commit': { status: 201, body: half(real), end: 'closed' },
      'mid-response': { status: 201, body: half(real), end: 'closed' },
    }),
  ],
  [
    'garbage',
    (real) => ({
      'before-read': { status: 200, body: html, end: 'complete' },
      'before-commit': { status: 200, body: html, end: 'complete' },
      'after-commit': { status: 200, body: html, end: 'complete' },
      'mid-response': { status: 201, body: half(real).padEnd(real.length, '\xff'), end: 'complete' },
    }),
  ],
  [
    'invalid-json',
    (real) => ({
      'before-read': { status: 200, body: '{"id":"3f0c', end: 'complete' },
      'before-commit': { status: 200, body: '{"id":"3f0c', end: 'complete' },
      'after-commit': { status: 200, body: '{"id":"3f0c', end: 'complete' },
      'mid-response': { status: 201, body: half(real), end: 'complete' },
    }),
  ],
  [
    'empty',
    () => ({
      'before-read': { status: 200, body: '', end: 'complete' },
      'before-commit': { status: 200, body: '', end: 'complete' },
      'after-commit': { status: 200, body: '', end: 'complete' },
    }),
  ],
  [
    { status: 503, headers: { 'retry-after': '1' }, body: 'busy' },
    () => ({
      'before-read': { status: 503, body: 'busy', end: 'complete' },
      'before-commit': { status: 503, body: 'busy', end: 'complete' },
      'after-commit': { status: 503, body: 'busy', end: 'complete' },
    }),
  ],
  [{ slow: 20 }, (real) => ({ 'after-commit': { status: 201, body: real, end: 'complete' } })],
];

const formatFault = (fault: Fault) => (typeof fault === 'string' ? fault : JSON.stringify(fault));
const body = JSON.stringify(pix());

function headersFor(sandbox: Sandbox): Record<string, string> {
  const { clientId, clientSecret } = sandbox.clientOptions();
  return {
    'client-id': clientId,
    'client-secret': clientSecret,
    'content-type': 'application/json',
    'x-idempotency-key': keyNo(1),
  };
}

/** Returns the body of the platform's real response, which depends only on the seed. */
async function fetchRealBody(): Promise<string> {
  const sandbox = sandboxForTest();
  const { baseUrl, fetch } = sandbox.clientOptions();
  const init = { method: 'POST', headers: headersFor(sandbox), body };
  return Buffer.from(await (await fetch(`${baseUrl}/v1/payments`, init)).arrayBuffer()).toString('latin1');
}

/** Parses a response's received bytes; `open` while more bytes can come. */
function read(bytes: string): Omit<Seen, 'end'> & { isComplete: boolean } {
  const [head, status] = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(bytes) ?? [];
  if (head === undefined) return { isComplete: false };
  const rest = bytes.slice(head.length);
  const seen = (text: string, isComplete: boolean) => ({ status: Number(status), body: text, isComplete });
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return seen(rest, rest.length >= Number(length));
  if (!/^transfer-encoding: chunked/im.test(head)) return seen(rest, false);
  let text = '';
  for (let at = 0; ; ) {
    const [line, size] = /^([0-9a-f]+)\r\n/i.exec(rest.slice(at)) ?? [];
    if (line === undefined) return seen(text, false);
    const start = at + line.length;
    const chunk = rest.slice(start, start + Number.parseInt(size ?? '', 16));
    if (chunk === '') return seen(text, true);
    text += chunk;
    at = start + chunk.length + 2;
  }
}

/** The client until its response has ended. */
interface Observer {
  /** Returns the part received so far. */
  readonly now: () => Omit<Seen, 'end'>;
  /** Resolves when the response ends. */
  readonly seen: Promise<Seen>;
  /** Aborts a hanging response. */
  readonly leave: () => void;
}

const without = ({ isComplete: _, ...seen }: ReturnType<typeof read>) => seen;

/** Observes a raw socket. If the fault hits before the request is read, only part of the request is sent. */
async function overSocket(sandbox: Sandbox, isPartial: boolean): Promise<Observer> {
  const { port } = await sandbox.listen();
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let bytes = '';
  const seen = new Promise<Seen>((resolve) => {
    let error: NodeJS.ErrnoException | undefined;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.toString('latin1');
      const { isComplete, ...response } = read(bytes);
      if (isComplete) resolve({ ...response, end: 'complete' });
    });
    socket.on('error', (reason) => {
      error = reason;
    });
    socket.on('close', () =>
      resolve({ ...without(read(bytes)), end: error?.code === 'ECONNRESET' ? 'reset' : 'closed' }),
    );
  });
  const request = requestText(
    'POST /v1/payments HTTP/1.1',
    { host: `127.0.0.1:${port}`, ...headersFor(sandbox) },
    body,
  );
  socket.write(isPartial ? request.slice(0, -20) : request);
  return { now: () => without(read(bytes)), seen, leave: () => socket.destroy() };
}

/** Observes fetch in process. An unread body is a stream without a reader. */
async function throughFetch(sandbox: Sandbox, isPartial: boolean): Promise<Observer> {
  const { baseUrl, fetch } = sandbox.clientOptions();
  const controller = new AbortController();
  let status: number | undefined;
  let text: string | undefined;
  const source = new ReadableStream(
    { pull: () => Promise.reject(new Error('the body was read')) },
    { highWaterMark: 0 },
  );
  const now = () => ({ ...(status !== undefined && { status, body: text ?? '' }) });
  const work = async (): Promise<Seen> => {
    try {
      const response = await fetch(`${baseUrl}/v1/payments`, {
        method: 'POST',
        headers: headersFor(sandbox),
        signal: controller.signal,
        ...(isPartial ? { body: source, duplex: 'half' } : { body }),
      } as RequestInit);
      status = response.status;
      for await (const chunk of response.body ?? []) {
        text = (text ?? '') + Buffer.from(chunk).toString('latin1');
      }
      return { ...now(), end: 'complete' };
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toBe(status === undefined ? 'fetch failed' : 'terminated');
      const { code } = (error as { cause: NodeJS.ErrnoException }).cause;
      expect(code).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
      return { ...now(), end: code === 'ECONNRESET' ? 'reset' : 'closed' };
    }
  };
  return { now, seen: work(), leave: () => controller.abort() };
}

const ways = { 'over a socket': overSocket, 'in process': throughFetch };

describe.each(Object.entries(ways))('a request fault %s', (_, observe) => {
  const rows = table.flatMap(([fault, byPhase]) =>
    phases.flatMap((phase) => (byPhase('')[phase] === undefined ? [] : [{ fault, phase, byPhase }])),
  );

  test.each(rows.map((row) => [formatFault(row.fault), row.phase, row] as const))(
    'has the effect that the fault table lists: %s at %s',
    async (_name, phase, { fault, byPhase }) => {
      const expected = byPhase(await fetchRealBody())[phase] as Seen;
      const sandbox = sandboxForTest();
      const charges = executes(phase) ? 1 : 0;
      sandbox.faults.add({ operation: 'payments.create', phase, fault });
      const { seen, now, leave } = await observe(sandbox, phase === 'before-read');
      const { end, ...arrived } = expected;
      if (end === 'hangs') {
        await eventually(() => expect(sandbox.faults.fired).toHaveLength(1));
        await eventually(() => expect(now()).toEqual(arrived));
      } else expect(await seen).toEqual(expected);
      expect(sandbox.ledger.chargesFor(keyNo(1))).toHaveLength(charges);
      const shown = typeof fault === 'object' && 'status' in fault ? { status: fault.status } : fault;
      expect(sandbox.journal.requests).toMatchObject([{ operation: 'payments.create', fault: shown }]);
      expect(sandbox.journal.requests[0]?.status).toBe(expected.status);
      expect(sandbox.faults.pending).toEqual([]);

      expect((await pay(sandbox, pix(), keyNo(2))).status).toBe(201);
      expect((await pay(await sandbox.listen(), pix(), keyNo(3))).status).toBe(201);
      expect((await pay(sandbox, pix(), keyNo(1))).status).toBe(charges === 1 ? 200 : 201);
      expect(sandbox.ledger.charges).toHaveLength(3);
      if (end !== 'hangs') return;
      expect(await Promise.race([seen, 'still open'])).toBe('still open');
      leave();
    },
  );
});

describe('faults.add with an impossible combination of fault and phase', () => {
  const impossible = table.flatMap(([fault, byPhase]) =>
    phases.flatMap((phase) =>
      byPhase('')[phase] === undefined ? [[formatFault(fault), phase, fault] as const] : [],
    ),
  );

  test.each([
    ...impossible,
    ...(['before-read', 'after-commit', 'mid-response'] as const).map(
      (phase) => ['acquirer-unknown', phase, 'acquirer-unknown'] as const,
    ),
  ])('rejects %s at %s', (_, phase, fault) => {
    const { faults } = sandboxForTest();
    expect(() => faults.add({ fault, phase })).toThrow(TypeError);
    expect(() => faults.add({ fault, phase })).toThrow(
      new RegExp(`^faults\\.add: the fault .+ needs the phase '.+', got '${phase}': [a-z].+`),
    );
    expect(faults.pending).toEqual([]);
  });
});
