import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FileInput, PaymentPlatformError } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { registration } from '../../support/form-server.js';
import { jpeg, pf } from '../../support/onboarding.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** Creates a file larger than a socket's buffers, so that the upload is still running when the fault hits. */
const large = () => new Uint8Array(8 * 1024 * 1024).fill(7);
const accepted = formatResponse(JSON.stringify(registration), { status: 202 });

onBothEngines((engine) => {
  /** Starts a server that interrupts a connection during its upload, for the first `times` uploads. */
  const interrupting = async (interrupt: (socket: Socket) => void, times: number) => {
    const interrupted = new Set<Socket>();
    const server = opens(
      // This server ignores a chunked body, and waits for a body with a length.
      await rawServer(({ request, socket }) => request.body !== '' && socket.write(accepted), {
        onBytes: (socket, received) => {
          if (received < 500_000 || interrupted.has(socket)) return interrupted.has(socket);
          if (interrupted.size >= times) return false;
          interrupted.add(socket);
          interrupt(socket);
          return true;
        },
      }),
    );
    return { server, interrupted, platform: opens(clientOn(engine, server.url, { timeout: 20_000 })) };
  };

  const breaks: [string, (socket: Socket) => void][] = [
    ['reset', (socket) => socket.resetAndDestroy()],
    ['FIN', (socket) => socket.destroy()],
  ];

  describe.each(breaks)('a %s in the middle of an upload (row 5)', (_name, interrupt) => {
    test('causes a retry with the same idempotency key', async () => {
      const { server, platform, interrupted } = await interrupting(interrupt, 2);
      await expect(platform.onboarding.submitPf({ ...pf, selfie: large() })).resolves.toEqual(registration);
      expect(interrupted.size).toBe(2);
      expect(server.requests).toHaveLength(1);
    });

    test('makes the outcome unknown after the last retry, and the error contains the idempotency key', async () => {
      const { server, platform } = await interrupting(interrupt, 9);
      const error = await catchError<PaymentPlatformError>(
        platform.onboarding.submitPf({ ...pf, selfie: large() }),
      );
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 3 });
      expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
      expect(server.requests).toHaveLength(0);
    });

    test('causes no retry if the file is a stream', async () => {
      const { platform, interrupted } = await interrupting(interrupt, 9);
      const selfie: FileInput = Readable.from([large()], { objectMode: false });
      const error = await catchError<PaymentPlatformError>(platform.onboarding.submitPf({ ...pf, selfie }));
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
      expect(error.message).toMatch(/its stream was already read/);
      expect(interrupted.size).toBe(1);
    });

    test('causes no retry of resendDocuments, which accepts no idempotency key', async () => {
      const { platform, interrupted } = await interrupting(interrupt, 9);
      const call = platform.onboarding.resendDocuments(
        registration.registration_id,
        { selfie: large() },
        { checkStatus: false },
      );
      expect(await catchError(call)).toMatchObject({
        name: 'ConnectionError',
        outcome: 'unknown',
        attempts: 1,
      });
      expect(interrupted.size).toBe(1);
    });
  });

  test('an abort in the middle of an upload makes the outcome unknown, and no request follows (row 32)', async () => {
    const controller = new AbortController();
    const { server, platform, interrupted } = await interrupting(
      () => controller.abort(new Error('enough')),
      1,
    );
    const source = Readable.from(slices(), { objectMode: false });
    const selfie: FileInput = engine === 'node' ? source : large();
    const error = await catchError<PaymentPlatformError>(
      platform.onboarding.submitPf({ ...pf, selfie }, { signal: controller.signal }),
    );
    expect(error).toMatchObject({ name: 'AbortedError', outcome: 'unknown', attempts: 1 });
    expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    if (engine === 'node') await server.drained();
    expect(interrupted.size).toBe(1);
    expect(server.requests.filter(({ body }) => body !== '')).toHaveLength(0);
    if (engine === 'node') expect(source.destroyed).toBe(true);
  });

  test('an upload that the server stops reading ends at the deadline (row 14)', async () => {
    const { platform } = await interrupting((socket) => socket.pause(), 9);
    const error = await catchError<PaymentPlatformError>(
      platform.onboarding.submitPf({ ...pf, selfie: large() }, { timeout: 1_000 }),
    );
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
  });

  test('an abort before an upload prevents the request, and the outcome is not-executed (row 32)', async () => {
    const server = opens(await rawServer(({ socket }) => socket.write(accepted)));
    const platform = opens(clientOn(engine, server.url));
    const selfie = Readable.from([jpeg], { objectMode: false });
    const error = await catchError(
      platform.onboarding.submitPf({ ...pf, selfie }, { signal: AbortSignal.abort() }),
    );
    expect(error).toMatchObject({ name: 'AbortedError', outcome: 'not-executed', attempts: 0 });
    expect(server.requests).toHaveLength(0);
  });

  test('an upload from a stream that never yields a byte ends at the deadline, and nothing is sent', async () => {
    const server = opens(await rawServer(({ socket }) => socket.write(accepted)));
    const platform = opens(clientOn(engine, server.url));
    const selfie = new Readable({ read() {} });
    const error = await catchError(platform.onboarding.submitPf({ ...pf, selfie }, { timeout: 60 }));
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'not-executed', attempts: 0 });
    expect(server.connections).toBe(0);
  });
});

function* slices(): Iterable<Uint8Array> {
  const all = large();
  for (let at = 0; at < all.length; at += 65_536) yield all.subarray(at, at + 65_536);
}
