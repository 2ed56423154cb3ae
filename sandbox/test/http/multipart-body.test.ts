import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuSeconds } from '../../../test/support/cpu-seconds.js';
import { readMultipart } from '../../http/parse-body.js';
import { UploadedFile } from '../../sellers/uploaded-file.js';
import { bankAccount, call, form, keyNo, naturalPerson, onboard, sandboxForTest } from '../support.js';

const type = 'multipart/form-data; boundary=edge';
const toBytes = (text: string) => new TextEncoder().encode(text.replaceAll('\n', '\r\n'));
const read = (text: string, contentType = type) => readMultipart(contentType, toBytes(text));

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a multipart form', () => {
  test('is read as strings and files', async () => {
    const body = await read(
      `--edge\nContent-Disposition: form-data; name="a"\n\nação\n--edge
Content-Disposition: form-data; name="photo"; filename="../my \\"photo\\".png"
Content-Type: image/png\n\nbytes\n--edge--\n`,
    );
    expect(body).toEqual({
      encoding: 'multipart',
      value: {
        a: 'ação',
        photo: {
          filename: '../my "photo".png',
          contentType: 'image/png',
          size: 5,
          sha256: digest(toBytes('bytes')),
        },
      },
    });
  });

  test('keeps every value of a repeated name, and accepts names such as __proto__', async () => {
    const part = (name: string, value: string) =>
      `--edge\nContent-Disposition: form-data; name="${name}"\n\n${value}\n`;
    const { value } = await read(
      `${part('x', '1')}${part('x', '2')}${part('x', '')}${part('__proto__', 'p')}--edge--\n`,
    );
    expect(Object.entries(value as object)).toEqual([
      ['x', ['1', '2', '']],
      ['__proto__', 'p'],
    ]);
  });

  test('is read with the same bytes and names if Node’s FormData created it', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !/[\r\n"%\\]/.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.tuple(name, fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 5_000 }))),
          {
            selector: ([key]) => key,
            minLength: 1,
            maxLength: 6,
          },
        ),
        async (entries) => {
          const data = new FormData();
          for (const [key, value] of entries) {
            if (typeof value === 'string') data.set(key, value);
            else data.set(key, new File([new Uint8Array(value)], `${key}.bin`, { type: 'application/pdf' }));
          }
          const request = new Request('https://any.example', { method: 'POST', body: data });
          const bytes = new Uint8Array(await request.arrayBuffer());
          const body = await readMultipart(request.headers.get('content-type') ?? '', bytes);
          expect(body.problem).toBeUndefined();
          const received = new Map(Object.entries(body.value as Record<string, unknown>));
          expect(received.size).toBe(entries.length);
          for (const [key, value] of entries) {
            const other = received.get(key);
            if (typeof value === 'string') {
              // A form sends every line break as CRLF.
              const sent = value.replaceAll(/\r\n|\r|\n/g, '\r\n');
              expect(other).toBe(sent);
            } else if (other instanceof UploadedFile) {
              expect(other.filename).toBe(`${key}.bin`);
              expect(Buffer.compare(other.bytes, value)).toBe(0);
            } else expect.unreachable(`${key} is not a file`);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  const whole = `--edge\nContent-Disposition: form-data; name="a"\n\ntext\n--edge
Content-Disposition: form-data; name="f"; filename="f.png"\nContent-Type: image/png\n\nbytes\n--edge--`;

  test('is invalid if it is truncated anywhere', async () => {
    const bytes = toBytes(whole);
    for (let length = 0; length < bytes.length - 2; length++) {
      const { value, problem } = await readMultipart(type, bytes.slice(0, length));
      expect([length, value, typeof problem]).toEqual([length, undefined, 'string']);
    }
    expect((await readMultipart(type, bytes)).problem).toBeUndefined();
  });

  test('is either read or rejected if some of its bytes are damaged', async () => {
    const good = toBytes(whole);
    const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const bytes = good.slice();
        for (const [position, value] of changes) bytes[position] = value;
        const { value, problem } = await readMultipart(type, bytes);
        expect(value === undefined).toBe(problem !== undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['no boundary', whole, 'multipart/form-data'],
    ['a boundary that it does not contain', whole, 'multipart/form-data; boundary=other'],
    ['a part without a name', '--edge\nContent-Disposition: form-data\n\nx\n--edge--\n', type],
    ['a file without a name', '--edge\nContent-Disposition: form-data; filename="x"\n\nx\n--edge--\n', type],
    ['a JSON body', '{"a":1}', type],
    [
      'a field that is too long',
      `--edge\nContent-Disposition: form-data; name="a"\n\n${'x'.repeat(1_048_577)}\n--edge--\n`,
      type,
    ],
  ])('is invalid with %s', async (_, text, contentType) => {
    const { value, problem } = await read(text, contentType);
    expect(value).toBeUndefined();
    expect(problem).toMatch(/^The body is not valid multipart\/form-data: .+\.$/);
  });
});

describe('a request with a multipart form', () => {
  test('is in the journal with its fields, and without the bytes of its files', async () => {
    const sandbox = sandboxForTest();
    const selfie = new TextEncoder().encode('canary of the selfie');
    await onboard(sandbox, { ...naturalPerson, selfie });
    const [request] = sandbox.journal.requests;
    expect(request?.body).toEqual({
      ...naturalPerson,
      cnhCompleta: {
        filename: 'cnhCompleta.png',
        contentType: 'image/png',
        size: 3,
        sha256: digest(new Uint8Array([1, 2, 3])),
      },
      selfie: { filename: 'selfie.png', contentType: 'image/png', size: 20, sha256: digest(selfie) },
    });
    const shown =
      inspect(sandbox, { depth: 20, showHidden: true, customInspect: false }) +
      JSON.stringify(sandbox.journal.requests);
    expect(shown).not.toContain('canary');
    expect(shown).not.toContain(Array.from(selfie).join(','));
  });

  test('gets a 400 if the operation expects another content type, or the form is malformed', async () => {
    const sandbox = sandboxForTest();
    const path = '/v1/submerchants';
    const json = await call(sandbox, path, { body: { documentNumber: '12345678909' }, key: keyNo(1) });
    expect([json.status, json.body.error?.message]).toEqual([
      400,
      'The content type must be multipart/form-data, not application/json.',
    ]);
    const headers = { 'content-type': 'multipart/form-data' };
    const broken = await call(sandbox, path, { body: 'x', key: keyNo(1), headers });
    expect([broken.status, broken.body.error?.code]).toEqual([400, 'invalid_body']);
    const payment = await call(sandbox, '/v1/payments', { body: form({ amount: '100' }) });
    expect(payment.status).toBe(400);
    expect(sandbox.control.submerchants.list()).toEqual([]);
  });

  const wrong: [string, (data: FormData) => void, string[]][] = [
    ['a named field twice', (data) => data.append('fullName', 'Other'), ['fullName']],
    ['a file twice', (data) => data.append('selfie', new Blob(['x'])), ['selfie']],
    ['text for a file', (data) => data.set('selfie', 'me'), ['selfie']],
    ['a file for text', (data) => data.set('fullName', new Blob(['x'])), ['fullName']],
    ['no JSON in bankAccount', (data) => data.set('bankAccount', '[object Object]'), ['bankAccount']],
    ['a list in bankAccount', (data) => data.set('bankAccount', '[]'), ['bankAccount']],
    ['a file as bankAccount', (data) => data.set('bankAccount', new Blob(['{}'])), ['bankAccount']],
    [
      'a wrong bankAccount',
      (data) => data.set('bankAccount', JSON.stringify({ ...bankAccount, ispb: '1', bankName: undefined })),
      ['bankAccount.ispb', 'bankAccount.bankName'],
    ],
    ['punctuation', (data) => data.set('document', '123.456.789-09'), ['document']],
    ['selfieComDocumento', (data) => data.set('selfieComDocumento', new Blob(['x'])), ['selfieComDocumento']],
  ];

  test.each(wrong)('gets a 400 for %s', async (_, change, paths) => {
    const sandbox = sandboxForTest();
    const data = form(naturalPerson);
    change(data);
    const reply = await call(sandbox, '/v2/submerchants/onboarding/pf', { body: data, key: keyNo(1) });
    expect(reply.status).toBe(400);
    expect(reply.body.error?.issues.map(({ path }) => path)).toEqual(paths);
    expect(sandbox.control.onboarding.list()).toEqual([]);
  });

  test('can repeat a field that is not in the API docs', async () => {
    const data = form({ documentNumber: '12345678909' });
    data.append('tag', 'a');
    data.append('tag', 'b');
    const sandbox = sandboxForTest();
    expect((await call(sandbox, '/v1/submerchants', { body: data, key: keyNo(1) })).status).toBe(201);
    expect(sandbox.control.submerchants.list()[0]?.fields.tag).toEqual(['a', 'b']);
  });

  test('arrives over HTTP byte for byte, even if it is large', async () => {
    const sandbox = sandboxForTest();
    const server = await sandbox.listen();
    const selfie = new Uint8Array(8 * 1024 * 1024).map((_, index) => (index * 7919) % 251);
    const { body } = await onboard(server, { ...naturalPerson, selfie });
    const documents = sandbox.control.onboarding.documents(String(body.registration_id));
    expect(documents.selfie?.sha256).toBe(digest(selfie));
    expect(Buffer.compare(documents.selfie?.bytes ?? new Uint8Array(), selfie)).toBe(0);
  });
});

test('a form of thousands of parts is rejected at once', async () => {
  const part = '--edge\nContent-Disposition: form-data; name="a"\n\n\n';
  const cost = await cpuSeconds(async () => {
    const body = await read(`${part.repeat(20_000)}--edge--\n`);
    expect(body.problem).toContain('more than 1000 parts');
  });
  expect(cost).toBeLessThan(10);
});
