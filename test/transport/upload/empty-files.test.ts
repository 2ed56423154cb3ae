import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { FileInput, PaymentPlatformError, ValidationError } from 'payment-platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { formServer } from '../../support/form-server.js';
import { pf } from '../../support/onboarding.js';
import { withBusboy } from '../../support/parsed-form.js';
import { id } from '../../support/payments.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();
let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'empty-'));
  path = join(folder, 'empty.jpg');
  await writeFile(path, '');
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const noBytes = () => Readable.from([], { objectMode: false });
const sentence = 'is an empty file. Pass a file with content';

/** Lists empty files whose size is known before anything is sent. */
const kinds: Record<string, () => FileInput> = {
  'a path': () => path,
  'a file: URL': () => pathToFileURL(path),
  'a Uint8Array': () => new Uint8Array(),
  'an ArrayBuffer': () => new ArrayBuffer(0),
  'a buffer that was transferred to a worker': () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  },
  'a Blob': () => new Blob([]),
  'a File': () => new File([], 'selfie.jpg', { type: 'image/jpeg' }),
  'a Node stream': noBytes,
  'a Node stream of empty chunks': () =>
    Readable.from([new Uint8Array(), new Uint8Array()], { objectMode: false }),
  'a web stream': () => new Blob([]).stream(),
  'a read stream of a file': () => createReadStream(path),
  'a function': () => noBytes,
  'a path with a type': () => ({ content: path, contentType: 'image/jpeg' }),
  'a Blob with a type': () => ({ content: new Blob([]), contentType: 'image/jpeg' }),
  'a read stream with a type': () => ({ content: createReadStream(path), contentType: 'image/jpeg' }),
};

onBothEngines((engine) => {
  const ready = async () => {
    const server = opens(await formServer());
    return { server, platform: opens(clientOn(engine, server.url)) };
  };

  describe.each(Object.entries(kinds))('an empty upload from %s', (_kind, make) => {
    test('is rejected if the API docs require the file, and nothing is sent', async () => {
      const { server, platform } = await ready();
      const calls = [
        platform.onboarding.submitPf({ ...pf, selfie: make() }),
        platform.onboarding.submitPj({ contratoSocial: make() }),
        platform.onboarding.resendDocuments(id, { documentoVerso: make() }, { checkStatus: false }),
      ];
      const issues = await Promise.all(
        calls.map(async (call) => (await catchError<ValidationError>(call)).issues),
      );
      expect(issues).toEqual([
        [{ path: 'selfie', message: sentence, check: 'file.empty' }],
        [{ path: 'contratoSocial', message: sentence, check: 'file.empty' }],
        [{ path: 'documentoVerso', message: sentence, check: 'file.empty' }],
      ]);
      expect(server.received).toHaveLength(0);
    });
  });

  test.each(['a Blob', 'a Node stream', 'a Uint8Array'])(
    'an empty file from %s is sent if the API docs do not name its field',
    async (kind) => {
      const { server, platform } = await ready();
      await platform.submerchants.create({ logo: kinds[kind]?.() as Blob });
      const [request] = server.received;
      const parts = await withBusboy(request?.body as Buffer, request?.headers['content-type'] ?? '');
      expect(parts.map(({ name, file }) => [name, file?.contentType])).toEqual([
        ['logo', 'application/octet-stream'],
      ]);
    },
  );

  test('an empty stream that has a content type aborts the upload', async () => {
    const { server, platform } = await ready();
    const selfie = { content: noBytes(), contentType: 'image/jpeg' };
    const error = await catchError<PaymentPlatformError>(platform.onboarding.submitPf({ ...pf, selfie }));
    expect(error).toMatchObject({ name: 'ConnectionError', attempts: 1 });
    expect(error.outcome).toBe(engine === 'node' ? 'unknown' : 'not-executed');
    expect(error.message).toContain(`selfie ${sentence}`);
    expect(server.received).toHaveLength(0);
  });

  test('one error lists every empty file of a form, together with the other problems', async () => {
    const { platform } = await ready();
    const form = { ...pf, birthDate: 'soon', selfie: new Blob([]), cnhCompleta: path };
    const { issues } = await catchError<ValidationError>(platform.onboarding.submitPf(form));
    expect(issues.map(({ path }) => path).sort()).toEqual(['birthDate', 'cnhCompleta', 'selfie']);
  });

  test('an upload from a stream of endless empty chunks ends at the deadline', async () => {
    const { server, platform } = await ready();
    const nothing = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: new Uint8Array() }) }),
    };
    for (const contentType of [undefined, 'image/jpeg']) {
      const content = () => Object.assign(new PassThrough(), nothing) as never;
      const selfie = { content, contentType };
      const call = platform.onboarding.submitPf({ ...pf, selfie }, { timeout: 100 });
      expect(await catchError(call)).toMatchObject({ name: 'TimeoutError' });
    }
    expect(server.received).toHaveLength(0);
  });
});
