import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { FileInput } from 'payment-platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { accept, formServer, json, registration } from '../../support/form-server.js';
import { findFreePort } from '../../support/free-port.js';
import { heic, jpeg, pdf, pf, png, webp } from '../../support/onboarding.js';
import { sha256, withBusboy, withResponse } from '../../support/parsed-form.js';
import { closedAfterEach } from '../../support/resources.js';
import { awkwardNames, expectName, expectUnchanged, sources } from '../../support/upload-cases.js';

const opens = closedAfterEach();
let folder = '';

/** Creates a FIFO. Opening the FIFO blocks until a writer opens it. */
function pipe(): string {
  const at = join(folder, 'pipe');
  if (!existsSync(at)) execFileSync('mkfifo', [at]);
  return at;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** `test/interop/forms/formidable.test.ts` reads the same uploads with another parser. */
const parsers = [withBusboy, withResponse];

onBothEngines((engine) => {
  const upload = async (form: Record<string, unknown>, options = {}) => {
    const server = opens(await formServer());
    const platform = opens(clientOn(engine, server.url));
    await platform.onboarding.submitPf({ ...pf, ...form } as never, options);
    const [request] = server.received;
    if (request === undefined) throw new Error('nothing was sent');
    return request;
  };

  test.each(awkwardNames)('both parsers read the same file name %j (row 48)', async (filename, read) => {
    const { body, headers } = await upload({ selfie: { content: jpeg, filename } });
    for (const parse of parsers) expectName(await parse(body, headers['content-type'] ?? ''), read);
  });

  const path = async (name: string, content: Uint8Array) => {
    const at = join(folder, `${engine}-${name}`);
    await writeFile(at, content);
    return at;
  };

  const kinds = sources(path);

  test.each(Object.entries(kinds))('both parsers read an upload from %s unchanged', async (_kind, make) => {
    const { body, headers } = await upload({ selfie: await make() });
    for (const parse of parsers) expectUnchanged(await parse(body, headers['content-type'] ?? ''));
  });

  test('a file of several megabytes arrives byte for byte, even if the server reads slowly', async () => {
    // The values do not repeat for a long stretch, so that a chunk in the wrong place is detected.
    const large = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 2_654_435_761) >>> 24);
    const at = await path('large.bin', large);
    let digest = '';
    const server = createServer({ highWaterMark: 1_024 }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const parts = await withBusboy(Buffer.concat(chunks), request.headers['content-type'] ?? '');
      digest = parts.find(({ name }) => name === 'selfie')?.file?.sha256 ?? '';
      accept(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const platform = opens(clientOn(engine, `http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    await platform.onboarding.submitPf({ ...pf, selfie: at });
    expect(digest).toBe(sha256(large));
    server.closeAllConnections();
    server.close();
  });

  test('a multipart form has a boundary, and never contains the string [object Object]', async () => {
    const { body, headers } = await upload({});
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
    expect(body.toString('latin1')).not.toContain('[object ');
    expect(Number(headers['content-length'])).toBe(body.length);
  });

  test.each([
    ['JPEG', jpeg, 'image/jpeg', 'selfie.jpg'],
    ['PNG', png, 'image/png', 'selfie.png'],
    ['PDF', pdf, 'application/pdf', 'selfie.pdf'],
    ['HEIC', heic, 'image/heic', 'selfie.heic'],
    ['WebP', webp, 'image/webp', 'selfie.webp'],
    ['anything else', Uint8Array.of(1, 2, 3), 'application/octet-stream', 'selfie'],
  ])(
    'an upload’s content type is recognised by its first bytes: %s',
    async (_name, selfie, contentType, filename) => {
      const { body, headers } = await upload({ selfie });
      const parts = await withBusboy(body, headers['content-type'] ?? '');
      expect(parts.find(({ name }) => name === 'selfie')?.file).toEqual({
        filename,
        contentType,
        sha256: sha256(selfie),
      });
    },
  );

  test('the content type that the caller states replaces the recognised one', async () => {
    const { body, headers } = await upload({
      selfie: { content: jpeg, contentType: 'image/pjpeg' },
      cnhCompleta: new File([Uint8Array.of(1)], 'a.tiff', { type: 'image/tiff' }),
    });
    const parts = await withBusboy(body, headers['content-type'] ?? '');
    expect(parts.filter(({ file }) => file).map(({ file }) => file?.contentType)).toEqual([
      'image/tiff',
      'image/pjpeg',
    ]);
  });

  test('an upload sends its bytes as they were when the call began (row 37)', async () => {
    const server = opens(await formServer());
    const platform = opens(clientOn(engine, server.url));
    const selfie = jpeg.slice();
    const call = platform.onboarding.submitPf({ ...pf, selfie });
    selfie.fill(0);
    await call;
    const [request] = server.received;
    const parts = await withBusboy(request?.body as Buffer, request?.headers['content-type'] ?? '');
    expect(parts.find(({ name }) => name === 'selfie')?.file?.sha256).toBe(sha256(jpeg));
  });

  describe('an upload’s retry (row 33)', () => {
    const failing = async (times = 2) =>
      opens(
        await formServer((response, index) =>
          index < times ? response.writeHead(503).end() : accept(response),
        ),
      );

    test.each(['a path', 'a Buffer', 'a Blob', 'a File', 'a function that makes a Node stream'])(
      'sends %s with the same bytes, boundary and idempotency key',
      async (kind) => {
        const server = await failing();
        const platform = opens(clientOn(engine, server.url));
        const selfie = (await kinds[kind]?.()) as FileInput;
        await platform.onboarding.submitPf({ ...pf, selfie });
        expect(server.received).toHaveLength(3);
        const distinct = server.received.map(({ body, headers }) => [
          sha256(body),
          headers['content-type'],
          headers['x-idempotency-key'],
        ]);
        expect(new Set(distinct.map((one) => one.join())).size).toBe(1);
      },
    );

    test.each(['a Node stream', 'a web stream', 'a read stream of a file'])(
      'is not made if %s was already read, and the error says so',
      async (kind) => {
        const server = await failing();
        const platform = opens(clientOn(engine, server.url));
        const selfie = (await kinds[kind]?.()) as FileInput;
        await expect(platform.onboarding.submitPf({ ...pf, selfie })).rejects.toMatchObject({
          name: 'ServerError',
          outcome: 'unknown',
          attempts: 1,
          message: expect.stringMatching(/The upload cannot be retried, because its stream was already read/),
        });
        expect(server.received).toHaveLength(1);
      },
    );

    test('is not mentioned in the error if the platform rejects the upload of a stream', async () => {
      const server = opens(await formServer((response) => json(response, 400, { message: 'no' })));
      const platform = opens(clientOn(engine, server.url));
      const error = await catchError(
        platform.onboarding.submitPf({ ...pf, selfie: new Blob([jpeg]).stream() }),
      );
      expect(error).toMatchObject({ name: 'BadRequestError', outcome: 'not-executed', attempts: 1 });
      expect(error.message).not.toContain('retry');
    });
  });

  describe('a stream that cannot be sent (row 33)', () => {
    const sendRejected = async (selfie: unknown, form: object = {}) => {
      const server = opens(await formServer());
      const platform = opens(clientOn(engine, server.url));
      const call = platform.onboarding.submitPf({ ...pf, ...form, selfie } as never);
      const error = await call.then(
        () => undefined,
        (reason: Error) => reason,
      );
      return { error, server };
    };

    test('is rejected if it fails at once, and nothing is sent', async () => {
      const stream = new Readable({
        read() {
          this.destroy(Object.assign(new Error('disk /secret/path'), { code: 'EIO' }));
        },
      });
      const { error, server } = await sendRejected(stream);
      expect(error).toMatchObject({
        name: 'ValidationError',
        outcome: 'not-executed',
        issues: [{ path: 'selfie', message: 'could not be read: the stream failed (EIO)' }],
      });
      expect(server.received).toHaveLength(0);
    });

    test('is rejected if it was read before', async () => {
      const stream = Readable.from([jpeg], { objectMode: false });
      for await (const _chunk of stream);
      const { error } = await sendRejected(stream);
      expect(error).toMatchObject({
        issues: [{ path: 'selfie', message: expect.stringContaining('already') }],
      });
    });

    test('is rejected if it is a locked web stream', async () => {
      const stream = new Blob([jpeg]).stream();
      stream.getReader();
      const { error } = await sendRejected(stream);
      expect(error).toMatchObject({
        issues: [{ path: 'selfie', message: expect.stringContaining('already') }],
      });
    });

    test('is rejected if two form fields use it', async () => {
      const stream = Readable.from([jpeg], { objectMode: false });
      const { error } = await sendRejected(stream, { cnhCompleta: stream });
      expect(error).toMatchObject({
        issues: [{ message: expect.stringContaining('is the same stream as') }],
      });
    });

    test('is rejected if it contains strings', async () => {
      const { error } = await sendRejected(Readable.from(['text']));
      expect(error).toMatchObject({
        issues: [{ path: 'selfie', message: 'is a stream that does not contain bytes' }],
      });
    });
  });

  test('a function that returns the same stream for a retry is rejected, and no empty file is sent (row 33)', async () => {
    for (const again of [new Blob([jpeg]).stream(), slices(jpeg)]) {
      const server = opens(
        await formServer((response, index) =>
          index === 0 ? response.writeHead(503).end() : accept(response),
        ),
      );
      const platform = opens(clientOn(engine, server.url));
      const call = platform.onboarding.submitPf({ ...pf, selfie: () => again as never });
      await expect(call).rejects.toMatchObject({
        name: 'ConnectionError',
        outcome: 'unknown',
        message: expect.stringContaining('selfie comes from a function that returned the same stream twice'),
      });
      expect(server.received).toHaveLength(1);
    }
  });

  describe('the end of a call', () => {
    const endless = () => {
      const state = { destroyed: 0, cancelled: 0, pulled: 0 };
      const node = () =>
        new Readable({
          read() {
            this.push(Buffer.alloc(16, 7));
            this.push(Buffer.alloc(1_000, 7));
          },
          destroy(error, done) {
            state.destroyed++;
            done(error);
          },
        });
      const web = () =>
        new ReadableStream<Uint8Array>({
          pull: async (controller) => {
            await new Promise((resolve) => setImmediate(resolve));
            state.pulled++;
            controller.enqueue(new Uint8Array(1_000));
          },
          cancel: () => {
            state.cancelled++;
          },
        });
      return { state, node, web };
    };
    const hanging = async () => opens(await formServer(() => undefined));

    test('destroys a stalled stream if the deadline passes during the upload', async () => {
      const server = await hanging();
      const platform = opens(clientOn(engine, server.url));
      const stalled = new PassThrough();
      stalled.write(jpeg);
      const call = platform.onboarding.submitPf({ ...pf, selfie: stalled }, { timeout: 500 });
      await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(stalled.destroyed).toBe(true);
    });

    test('cancels an endless web stream if the deadline passes', async () => {
      const server = await hanging();
      const platform = opens(clientOn(engine, server.url));
      const { state, web } = endless();
      const call = platform.onboarding.submitPf({ ...pf, selfie: web() }, { timeout: 500 });
      await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
      await eventually(() => expect(state.cancelled).toBe(1));
      const { pulled } = state;
      await new Promise((resolve) => setImmediate(resolve));
      expect(state.pulled - pulled).toBeLessThanOrEqual(1);
    });

    test('destroys a stream from the caller’s function after a validation error, but not the caller’s own stream', async () => {
      const platform = opens(clientOn(engine, (await hanging()).url));
      const { state, node } = endless();
      const own = node();
      const call = platform.onboarding.submitPf({ ...pf, document: '1', selfie: node, cnhCompleta: own });
      await expect(call).rejects.toMatchObject({ name: 'ValidationError' });
      expect(state.destroyed).toBe(1);
      expect(own.destroyed).toBe(false);
      own.destroy();
      await once(own, 'close');
      expect(own.listenerCount('error')).toBe(0);
    });

    test('destroys a stream that the caller’s function returns too late', async () => {
      const platform = opens(clientOn(engine, (await hanging()).url));
      const { state, node } = endless();
      let make: (stream: Readable) => void = () => undefined;
      const selfie = () => new Promise<Readable>((resolve) => (make = resolve));
      const call = platform.onboarding.submitPf({ ...pf, selfie }, { timeout: 50 });
      await expect(call).rejects.toMatchObject({
        name: 'TimeoutError',
        outcome: 'not-executed',
        message: expect.stringContaining('while waiting for the first bytes of selfie'),
      });
      make(node());
      await eventually(() => expect(state.destroyed).toBe(1));
    });
  });

  test('a missing file’s stream in a call with an invalid field does not crash the process', async () => {
    const platform = opens(clientOn(engine, 'http://127.0.0.1:1'));
    const selfie = createReadStream(join(folder, 'nowhere.jpg'));
    const closed = new Promise<void>((resolve) => selfie.once('close', resolve));
    const call = platform.onboarding.submitPf({ ...pf, document: '1', selfie });
    await expect(call).rejects.toMatchObject({ name: 'ValidationError' });
    // The stream's error comes only now, when nothing waits for the stream.
    await closed;
    expect(selfie.listenerCount('error')).toBe(0);
  });

  test('a string is sent as a string if the API docs do not document its field as a file', async () => {
    const server = opens(await formServer());
    const platform = opens(clientOn(engine, server.url));
    const secret = join(folder, 'secret.txt');
    await writeFile(secret, 'canary');
    await platform.submerchants.create({ note: secret, logo: { content: secret, filename: 'logo.png' } });
    expect(server.received[0]?.body.toString()).not.toContain('canary');
    await platform.submerchants.create({ logo: { content: pathToFileURL(secret), filename: 'logo.png' } });
    expect(server.received[1]?.body.toString()).toContain('canary');
    // The name of a file in the form of another operation.
    await platform.submerchants.create({ selfie: secret });
    expect(server.received[2]?.body.toString()).not.toContain('canary');
  });

  test('every stream that the caller’s function created for an attempt is destroyed', async () => {
    const server = opens(
      await formServer((response, index) => (index < 2 ? response.writeHead(503).end() : accept(response))),
    );
    const platform = opens(clientOn(engine, server.url));
    const made: Readable[] = [];
    const returned: number[] = [];
    await platform.onboarding.submitPf({
      ...pf,
      selfie: () => {
        const stream = Readable.from([jpeg], { objectMode: false });
        made.push(stream);
        return stream;
      },
      cnhCompleta: (() => ({
        [Symbol.asyncIterator]: () => {
          const rest = [pdf];
          return {
            next: async () => {
              const value = rest.shift();
              return { done: value === undefined, value };
            },
            return: async () => {
              returned.push(1);
              return { done: true, value: undefined };
            },
          };
        },
      })) as never,
    });
    expect(made).toHaveLength(3);
    await eventually(() => expect(made.every(({ destroyed }) => destroyed)).toBe(true));
    expect(returned.length).toBeGreaterThanOrEqual(1);
  });

  test('streams with a contentType are read one after the other', async () => {
    const server = opens(await formServer());
    const platform = opens(clientOn(engine, server.url));
    const first = new PassThrough();
    const second = new PassThrough();
    first.once('end', () => second.end(pdf));
    first.end(jpeg);
    const { cnhCompleta: _licence, ...person } = pf;
    await platform.onboarding.submitPf({
      ...person,
      selfie: { content: first, contentType: 'image/jpeg' },
      cnhCompleta: { content: second, contentType: 'application/pdf' },
    });
    const parts = await withBusboy(
      server.received[0]?.body as Buffer,
      server.received[0]?.headers['content-type'] ?? '',
    );
    expect(parts.filter(({ file }) => file).map(({ file }) => file?.sha256)).toEqual([
      sha256(pdf),
      sha256(jpeg),
    ]);
  });

  test('a Blob with an invalid type cannot inject a header (row 48)', async () => {
    const blob = Object.assign(new Blob([Uint8Array.of(1)]), {});
    Object.defineProperty(blob, 'type', { value: 'text/plain\r\nX-Evil: 1' });
    const { body } = await upload({ selfie: blob });
    const part =
      'name="selfie"; filename="selfie"\r\ncontent-type: application/octet-stream\r\n\r\n\u0001\r\n';
    expect(body.toString('latin1').replaceAll('Content-Type', 'content-type')).toContain(part);
    expect(body.toString('latin1')).not.toContain('X-Evil');
  });

  describe('a file on disk (row 34)', () => {
    test.each([
      ['does not exist', () => join(folder, 'nowhere.jpg'), /ENOENT/],
      ['is a folder', () => folder, /folder|EISDIR/],
      ['is a data URL', () => 'data:image/jpeg;base64,/9j/', /Pass the bytes/],
      ['is empty', () => '', /must be the path of a file/],
      ['is a pipe that nobody writes into', () => pipe(), /is not a regular file/],
    ])(
      'is reported together with an invalid field, and nothing is sent, if its path %s',
      async (_name, at, message) => {
        const server = opens(await formServer());
        const platform = opens(clientOn(engine, server.url));
        const error = await platform.onboarding
          .submitPf({ ...pf, selfie: at(), birthDate: 'yesterday' })
          .catch((reason: unknown) => reason);
        expect(error).toMatchObject({ name: 'ValidationError', outcome: 'not-executed', attempts: 0 });
        const { issues } = error as { issues: { path: string; message: string }[] };
        expect(issues.map((issue) => issue.path).sort()).toEqual(['birthDate', 'selfie']);
        expect(issues.find((issue) => issue.path === 'selfie')?.message).toMatch(message);
        expect(server.received).toHaveLength(0);
      },
    );

    test('is not sent in a retry if it changed during the call', async () => {
      const selfie = await path('changing.jpg', jpeg);
      const server = opens(
        await formServer(async (response, index) => {
          if (index > 0) return accept(response);
          await writeFile(selfie, Buffer.concat([jpeg, jpeg]));
          return response.writeHead(503).end();
        }),
      );
      const platform = opens(clientOn(engine, server.url));
      const call = platform.onboarding.submitPf({ ...pf, selfie });
      await expect(call).rejects.toMatchObject({
        name: 'ConnectionError',
        outcome: 'unknown',
        message: expect.stringContaining('selfie has changed since the call began'),
      });
      return expect(server.received).toHaveLength(1);
    });
  });

  test('onUploadProgress reports growing numbers, and its exceptions do not fail the call', async () => {
    const seen: { sent: number; total: number | undefined }[] = [];
    const selfie = new Uint8Array(300_000).fill(7);
    const { body } = await upload(
      { selfie },
      {
        onUploadProgress: (progress: (typeof seen)[number]) => {
          seen.push(progress);
          throw new Error('a broken progress bar');
        },
      },
    );
    expect(seen.at(-1)).toEqual({ sent: body.length, total: body.length });
    expect(seen.map(({ sent }) => sent)).toEqual(seen.map(({ sent }) => sent).sort((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(engine === 'node' ? 4 : 0);
  });
});

test('onUploadProgress is called once, at the end, if the runtime’s fetch cannot stream a body', async () => {
  const Original = globalThis.Request;
  vi.stubGlobal(
    'Request',
    class extends Original {
      constructor(input: Request | string | URL, { method, headers, redirect, body }: RequestInit = {}) {
        const sent = body instanceof ReadableStream ? String(body) : body;
        super(input, {
          ...(method && { method }),
          ...(headers && { headers }),
          ...(redirect && { redirect }),
          ...(sent && { body: sent }),
        });
      }
    },
  );
  const server = opens(await formServer());
  const seen: unknown[] = [];
  const platform = opens(clientOn('ky', server.url));
  await platform.onboarding.submitPf(pf, { onUploadProgress: (progress) => seen.push(progress) });
  vi.unstubAllGlobals();
  const length = server.received[0]?.body.length;
  expect(seen).toEqual([{ sent: length, total: length }]);
});

test('a fetch from a package receives bytes, because it might send a stream as a string', async () => {
  const server = opens(await formServer());
  const seen: unknown[] = [];
  // node-fetch treats a body of an unknown kind like this.
  const fetch: typeof globalThis.fetch = (url, init) =>
    globalThis.fetch(url, {
      ...init,
      ...(init?.body instanceof ReadableStream && { body: String(init.body) }),
    });
  const platform = opens(clientOn('ky', server.url, { fetch }));
  await platform.onboarding.submitPf(pf, { onUploadProgress: (progress) => seen.push(progress) });
  const body = server.received[0]?.body ?? Buffer.alloc(0);
  expect(body.includes(Buffer.from(jpeg))).toBe(true);
  expect(seen).toEqual([{ sent: body.length, total: body.length }]);
});

describe('an upload on the node engine', () => {
  test('is aborted if a stream has fewer or more bytes than its stated length (row 33)', async () => {
    for (const [length, text] of [
      [jpeg.length + 5, 'ended after'],
      [jpeg.length - 5, 'is longer than'],
    ] as const) {
      const server = opens(await formServer());
      const platform = opens(clientOn('node', server.url));
      const stream = Object.assign(Readable.from([jpeg], { objectMode: false }), {
        headers: { 'content-length': String(length) },
      });
      await expect(platform.onboarding.submitPf({ ...pf, selfie: stream })).rejects.toMatchObject({
        name: 'ConnectionError',
        outcome: 'unknown',
        attempts: 1,
        message: expect.stringContaining(`selfie ${text}`),
      });
      expect(server.received).toHaveLength(0);
    }
  });

  test('is aborted if a stream fails before its end (row 33)', async () => {
    const server = opens(await formServer());
    const platform = opens(clientOn('node', server.url));
    const stream = Readable.from(
      (async function* () {
        yield jpeg;
        throw Object.assign(new Error('gone'), { code: 'EIO' });
      })(),
      { objectMode: false },
    );
    await expect(platform.onboarding.submitPf({ ...pf, selfie: stream })).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
    expect(server.received).toHaveLength(0);
  });

  test('has a Content-Length for paths, bytes, Blobs and read streams, and is otherwise chunked', async () => {
    const server = opens(await formServer());
    const platform = opens(clientOn('node', server.url));
    const path = join(folder, 'known.jpg');
    await writeFile(path, jpeg);
    for (const selfie of [path, jpeg, new Blob([jpeg]), createReadStream(path)])
      await platform.onboarding.submitPf({ ...pf, selfie });
    await platform.onboarding.submitPf({ ...pf, selfie: new Blob([jpeg]).stream() });
    expect(server.received.map(({ headers }) => headers['content-length'] !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(server.received.at(-1)?.headers['transfer-encoding']).toBe('chunked');
  });

  test('ends as soon as the response comes, even if the upload is not complete', async () => {
    const server = createServer((request, response) => {
      request.once('data', () => response.writeHead(413).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const platform = opens(clientOn('node', `http://127.0.0.1:${port}`));
    const ended = new Promise((resolve) =>
      server.once('connection', (socket) => socket.once('close', resolve)),
    );
    let handed = 0;
    const endless = new Readable({
      read() {
        handed += 65_536;
        this.push(Buffer.alloc(65_536));
      },
    });
    await expect(platform.onboarding.submitPf({ ...pf, selfie: endless })).rejects.toMatchObject({
      status: 413,
      outcome: 'not-executed',
    });
    expect(endless.destroyed).toBe(true);
    expect(handed).toBeLessThan(50_000_000);
    // Half a request is on the connection, so the connection serves no other request.
    await ended;
    server.closeAllConnections();
    server.close();
  });

  test('is retried after a refused connection if its stream was not read yet', async () => {
    const port = await findFreePort();
    const late = createServer((_request, response) => accept(response));
    const hooks = { onRetry: () => late.listening || late.listen(port, '127.0.0.1') };
    const platform = opens(clientOn('node', `http://127.0.0.1:${port}`, { hooks, maxRetries: 10 }));
    const selfie = Readable.from([jpeg], { objectMode: false });
    await expect(platform.onboarding.submitPf({ ...pf, selfie })).resolves.toEqual(registration);
    late.close();
  });
});

async function* slices(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes.subarray(0, 50);
  yield bytes.subarray(50);
}
