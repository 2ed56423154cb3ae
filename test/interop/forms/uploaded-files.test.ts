import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import formidable from 'formidable';
import multer from 'multer';
import type { FileInput } from 'payment-platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { formServer } from '../../support/form-server.js';
import { jpeg, pf } from '../../support/onboarding.js';
import { sha256, withBusboy } from '../../support/parsed-form.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploaded-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Builds the form of a seller's browser, with a JPEG that claims to be a GIF. */
function browserForm(bytes: Uint8Array<ArrayBuffer> = Uint8Array.from(jpeg)): FormData {
  const form = new FormData();
  form.append('selfie', new File([bytes], 'minha selfie.jpg', { type: 'image/gif' }));
  return form;
}

async function listen(handler: RequestListener): Promise<string> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opens({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A merchant's handler for a request's file. */
type Handle = (file: FileInput) => Promise<unknown>;

const withMulter =
  (storage: multer.StorageEngine) =>
  (handle: Handle): Promise<string> =>
    listen((request, response) => {
      const done = async () => {
        const { file } = request as IncomingMessage & { file?: Express.Multer.File };
        if (file !== undefined) await handle(file);
        response.end();
      };
      multer({ storage }).single('selfie')(request as never, response as never, () => void done());
    });

async function withFormidable(handle: Handle): Promise<string> {
  return listen(async (request, response) => {
    const [, files] = await formidable({ uploadDir: folder }).parse(request);
    const [file] = files.selfie ?? [];
    if (file !== undefined) await handle(file);
    response.end();
  });
}

const withFastify =
  (limits = {}) =>
  async (handle: Handle): Promise<string> => {
    const server = fastify();
    opens({ close: () => void server.close() });
    await server.register(multipart, { throwFileSizeLimit: false, limits });
    server.post('/', async (request) => {
      const file = await request.file();
      if (file !== undefined) await handle(file);
      return {};
    });
    return server.listen({ port: 0, host: '127.0.0.1' });
  };

onBothEngines((engine) => {
  test.each([
    ['multer in memory', withMulter(multer.memoryStorage())],
    ['multer on disk', (handle: Handle) => withMulter(multer.diskStorage({ destination: folder }))(handle)],
    ['formidable', withFormidable],
    ['@fastify/multipart', withFastify()],
  ])('a file that %s received from a browser is forwarded unchanged', async (_, serve) => {
    const server = opens(await formServer());
    const platform = opens(clientOn(engine, server.url));
    const url = await serve((selfie) => platform.onboarding.submitPf({ ...pf, selfie }));
    const response = await fetch(url, { method: 'POST', body: browserForm() });
    expect(response.status).toBe(200);
    const [request] = server.received;
    const parts = await withBusboy(request?.body ?? Buffer.alloc(0), request?.headers['content-type'] ?? '');
    expect(parts.find(({ name }) => name === 'selfie')?.file).toEqual({
      filename: 'minha selfie.jpg',
      contentType: 'image/jpeg',
      sha256: sha256(jpeg),
    });
  });

  test('a file that the form parser cut off at its size limit is rejected', async () => {
    const server = opens(await formServer());
    const platform = opens(clientOn(engine, server.url));
    const failures: Error[] = [];
    const url = await withFastify({ fileSize: 100_000 })(async (selfie) => {
      failures.push(await catchError(platform.onboarding.submitPf({ ...pf, selfie })));
    });
    const large = new Uint8Array(300_000);
    large.set(jpeg);
    await fetch(url, { method: 'POST', body: browserForm(large) });
    expect(failures).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("selfie was cut off by the upload parser's size limit"),
      }),
    ]);
    expect(server.received).toEqual([]);
  });
});

test.each([
  ['multer', { originalname: 'a.jpg', mimetype: 'image/jpeg', path: '/etc/passwd', destination: '/etc' }],
  ['formidable', { filepath: '/etc/passwd', originalFilename: 'a.jpg', mimetype: 'image/jpeg' }],
])('a file object from %s is rejected in a field that accepts no file', async (_, forged) => {
  const server = opens(await formServer());
  const platform = opens(clientOn('node', server.url));
  const call = platform.onboarding.submitPf({ ...pf, selfie: jpeg, note: forged } as never);
  expect(await catchError(call)).toMatchObject({
    name: 'ValidationError',
    issues: [
      {
        path: 'note',
        message: expect.stringContaining('is a path, which is read only in the file fields'),
      },
    ],
  });
  expect(server.received).toEqual([]);
});
