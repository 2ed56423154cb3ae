import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { PaymentPlatform } from 'payment-platform';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { accept, formServer } from '../../support/form-server.js';
import { jpeg, pf } from '../../support/onboarding.js';
import { sha256, withBusboy } from '../../support/parsed-form.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const unread = 'by a getter that throws';

const listeners = (stream: Readable) => stream.eventNames().map((name) => [name, stream.listenerCount(name)]);

onBothEngines((engine) => {
  const ready = async (respond = accept) => {
    const server = opens(await formServer(respond));
    return { server, platform: opens(clientOn(engine, server.url)) };
  };

  const rejectedUploads: Record<string, (platform: PaymentPlatform, selfie: Readable) => Promise<unknown>> = {
    'by validation': (platform, selfie) => platform.onboarding.submitPf({ ...pf, document: '1', selfie }),
    'because of another file': (platform, selfie) =>
      platform.onboarding.submitPf({ ...pf, cnhCompleta: '/nowhere', selfie }),
    'by validation of a file with a content type': (platform, selfie) =>
      platform.onboarding.submitPf({
        ...pf,
        document: '1',
        selfie: { content: selfie, contentType: 'image/jpeg' },
      }),
    'because two fields have the same stream': (platform, selfie) =>
      platform.onboarding.submitPf({ ...pf, cnhCompleta: selfie, selfie }),
    'because of an invalid option': (platform, selfie) =>
      platform.onboarding.submitPf({ ...pf, selfie }, { timeout: 'soon' as never }),
    [unread]: (platform, selfie) =>
      platform.onboarding.submitPf({
        ...pf,
        selfie,
        get cnhCompleta(): never {
          throw new RangeError('mine');
        },
      } as never),
    'by an abort before the start': (platform, selfie) =>
      platform.onboarding.submitPf({ ...pf, selfie }, { signal: AbortSignal.abort() }),
    'at its deadline while it waits for another file': (platform, selfie) => {
      const cnhCompleta = () => new Promise<never>(() => undefined);
      return platform.onboarding.submitPf({ ...pf, selfie, cnhCompleta }, { timeout: 40 });
    },
    'by platform.request': (platform, selfie) =>
      platform.request({ method: 'POST', path: 'no-slash', multipart: { selfie } }),
  };

  describe.each(Object.entries(rejectedUploads))('an upload that is rejected %s', (_name, sendRejected) => {
    test('leaves the caller’s stream unchanged', async () => {
      const { server, platform } = await ready();
      const selfie = new PassThrough();
      selfie.write(jpeg);
      const before = listeners(selfie);
      await catchError(sendRejected(platform, selfie));
      expect(listeners(selfie)).toEqual(before);
      expect(selfie).toMatchObject({ destroyed: false, readableDidRead: false, readableFlowing: null });
      expect(selfie.readableLength).toBe(jpeg.length);
      expect(() => selfie.emit('error', new Error('mine'))).toThrow('mine');
      expect(server.received).toHaveLength(0);
    });
  });

  // If the form itself is unreadable, the SDK never takes the stream from the caller.
  const underWay = Object.entries(rejectedUploads).filter(([name]) => name !== unread);
  describe.each(underWay)('a rejected upload (%s)', (_name, sendRejected) => {
    test('causes no unhandled error if the caller’s stream fails later', async () => {
      const { platform } = await ready();
      const selfie = new PassThrough();
      const closed = new Promise<void>((resolve) => selfie.once('close', resolve));
      const call = catchError(sendRejected(platform, selfie));
      selfie.destroy(new Error('disk'));
      await Promise.all([call, closed]);
      expect(selfie.listenerCount('error')).toBe(0);
    });
  });

  test('a rejected upload leaves a web stream unlocked', async () => {
    const { platform } = await ready();
    const selfie = new Blob([jpeg]).stream();
    await catchError(platform.onboarding.submitPf({ ...pf, document: '1', selfie }));
    expect(selfie.locked).toBe(false);
  });

  test('a rejected read stream that has not opened yet keeps none of the SDK’s listeners', async () => {
    const { platform } = await ready();
    const selfie = createReadStream(fileURLToPath(import.meta.url));
    const opened = new Promise<void>((resolve) => selfie.once('ready', resolve));
    await catchError(platform.onboarding.submitPf({ ...pf, document: '1', selfie }));
    await opened;
    expect(listeners(selfie).filter(([name]) => name !== 'end')).toEqual([]);
    expect(selfie.destroyed).toBe(false);
    selfie.destroy();
  });

  test('a stream keeps none of the SDK’s listeners after it was sent', async () => {
    const { server, platform } = await ready();
    const selfie = Readable.from([jpeg.subarray(0, 7), jpeg.subarray(7)], { objectMode: false });
    await platform.onboarding.submitPf({ ...pf, selfie });
    await eventually(() => expect(selfie.closed).toBe(true));
    // These listeners remain after Node's own reading.
    const other = Readable.from([jpeg], { objectMode: false });
    for await (const _chunk of other);
    expect(selfie.listenerCount('error')).toBe(other.listenerCount('error'));
    expect(server.received).toHaveLength(1);
  });

  test('a stream that fails in the middle of its upload makes the call fail, and the process continues', async () => {
    const { platform } = await ready();
    const selfie = new PassThrough();
    selfie.write(Buffer.alloc(100_000, 1));
    const call = catchError(
      platform.onboarding.submitPf(
        { ...pf, selfie: { content: selfie, contentType: 'image/jpeg' } },
        { timeout: 5_000 },
      ),
    );
    await eventually(() => expect(selfie.readableDidRead).toBe(true));
    selfie.destroy(Object.assign(new Error('gone'), { code: 'EIO' }));
    expect((await call).message).toContain('(EIO)');
  });

  test('a stream from the caller’s function may fail after the call without an unhandled error', async () => {
    const { server, platform } = await ready();
    const unhandled: unknown[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const onUnhandled = (error: unknown) => {
      unhandled.push(error);
      end();
    };
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      process.on(event, onUnhandled);
      onTestFinished(() => void process.off(event, onUnhandled));
    }
    // Only the SDK closes a stream without autoDestroy, and Node no longer listens to its errors.
    const stream = new Readable({
      autoDestroy: false,
      read() {
        this.push(jpeg);
        this.push(null);
      },
      destroy: (_error, done) => done(new Error('cannot be closed')),
    });
    stream.once('close', end);
    await platform.onboarding.submitPf({ ...pf, selfie: () => stream });
    expect(server.received).toHaveLength(1);
    await ended;
    await new Promise((resolve) => setImmediate(resolve));
    expect(stream.errored).toMatchObject({ message: 'cannot be closed' });
    expect(unhandled).toEqual([]);
  });

  describe('validation of an uploaded file (row 62)', () => {
    const sent = async (form: object) => {
      const { server, platform } = await ready();
      await platform.onboarding.submitPf({ ...pf, ...form } as never);
      const [request] = server.received;
      const parts = await withBusboy(request?.body as Buffer, request?.headers['content-type'] ?? '');
      return parts.find(({ name }) => name === 'selfie')?.file;
    };

    test('reads a file’s content, filename and contentType only once', async () => {
      const reads = { content: 0, filename: 0, contentType: 0 };
      const selfie = {
        get content() {
          return reads.content++ === 0 ? jpeg : Uint8Array.of(1);
        },
        get filename() {
          return reads.filename++ === 0 ? 'a.jpg' : 'a"\r\nX-Evil: 1';
        },
        get contentType() {
          return reads.contentType++ === 0 ? 'image/jpeg' : 'a/b\r\nX-Evil: 1';
        },
      };
      expect(await sent({ selfie })).toEqual({
        filename: 'a.jpg',
        contentType: 'image/jpeg',
        sha256: sha256(jpeg),
      });
      expect(reads).toEqual({ content: 1, filename: 1, contentType: 1 });
    });

    test('copies the bytes of shared memory, and a `file:` URL object, when the call begins', async () => {
      const { server, platform } = await ready();
      const shared = new Uint8Array(new SharedArrayBuffer(jpeg.length));
      shared.set(jpeg);
      const url = new URL(import.meta.url);
      const call = platform.onboarding.submitPf({ ...pf, selfie: shared, cnhCompleta: url });
      shared.fill(0);
      url.pathname = '/etc/passwd';
      await call;
      const [request] = server.received;
      const parts = await withBusboy(request?.body as Buffer, request?.headers['content-type'] ?? '');
      expect(parts.find(({ name }) => name === 'selfie')?.file?.sha256).toBe(sha256(jpeg));
      expect(parts.find(({ name }) => name === 'cnhCompleta')?.file?.filename).toBe('upload-streams.test.ts');
    });

    const thrown = () => {
      throw new RangeError('mine');
    };
    test.each([
      [
        'a filename that is not a string',
        { ...pf, selfie: { content: jpeg, filename: { [Symbol.toPrimitive]: thrown } } },
      ],
      [
        'a function whose stream throws when it is read',
        { ...pf, selfie: () => Object.defineProperty(new PassThrough(), 'errored', { get: thrown }) },
      ],
    ])('rejects %s with a ValidationError', async (_name, form) => {
      const { server, platform } = await ready();
      expect(await catchError(platform.onboarding.submitPf(form as never))).toMatchObject({
        name: 'ValidationError',
        outcome: 'not-executed',
      });
      expect(server.received).toHaveLength(0);
    });
  });

  test('a form of 1,000 fields is accepted', async () => {
    const { server, platform } = await ready();
    const form = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 'x']));
    await platform.submerchants.create(form);
    expect(server.received[0]?.body.toString()).toContain('name="field999"');
  });
});
