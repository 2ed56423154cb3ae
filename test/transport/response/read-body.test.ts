import { describe, expect, test } from 'vitest';
import {
  fileIssues,
  headerIssues,
  readErrorBody,
  readFileBody,
  readJson,
  readObject,
  UnreadableBodyError,
} from '../../../src/transport/response/read-response.js';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Returns the error that a read throws. */
function getReadError(read: () => unknown): UnreadableBodyError {
  try {
    read();
  } catch (error) {
    if (error instanceof UnreadableBodyError) return error;
    throw error;
  }
  throw new Error('expected a rejection');
}

describe('readJson', () => {
  test('parses JSON, with or without a byte order mark', () => {
    expect(readJson(bytes('{"a":[1,"é"]}'))).toEqual({ a: [1, 'é'] });
    expect(readJson(bytes('\ufeff[1]'))).toEqual([1]);
    expect(readJson(bytes('7'))).toBe(7);
  });

  test.each([
    ['', 'empty'],
    ['{"a":', 'cut short'],
    ['<html></html>', 'HTML or XML'],
    ['\n <?xml?>', 'HTML or XML'],
    ['a < b', 'cut short'],
    ['no json', 'cut short'],
  ])('rejects %j', (text, why) => {
    const error = getReadError(() => readJson(bytes(text)));
    expect(error.message).toContain(why);
    expect(error.permanent).toBe(false);
  });

  test('reads invalid UTF-8 as Windows-1252, and mentions UTF-8 in the error if the result is not JSON', () => {
    expect(readJson(new Uint8Array([0x22, 0xe3, 0x22]))).toBe('ã');
    expect(getReadError(() => readJson(new Uint8Array([0xe3, 0x22]))).message).toContain('UTF-8');
  });

  test('throws an error that prevents a retry if a body is nested too deeply', () => {
    expect(getReadError(() => readJson(bytes(`${'['.repeat(200)}${']'.repeat(200)}`))).permanent).toBe(true);
  });
});

describe('a body’s charset', () => {
  const utf16 = (text: string, isBigEndian: boolean) =>
    Uint8Array.from(
      [...text].flatMap((character) => {
        const code = character.charCodeAt(0);
        return isBigEndian ? [code >> 8, code & 255] : [code & 255, code >> 8];
      }),
    );
  const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const wrong = expect.stringContaining('the body does not have');

  test.each<[string, Uint8Array, string | undefined, unknown]>([
    ['UTF-8', bytes('"é"'), undefined, undefined],
    ['UTF-8, as named', bytes('"é"'), 'application/json; charset="UTF-8"', undefined],
    ['UTF-8, named without a hyphen', bytes('"é"'), 'application/json;charset=utf8', undefined],
    ['UTF-16 with a byte order mark', utf16('\ufeff"é"', true), undefined, undefined],
    [
      'UTF-16LE with a byte order mark',
      utf16('\ufeff"é"', false),
      'application/json; charset=utf-8',
      undefined,
    ],
    ['ISO-8859-1, as named', latin1('"é"'), "application/json; charset='iso-8859-1'", undefined],
    ['ISO-8859-1 without a name', latin1('"é"'), undefined, expect.stringContaining('not valid UTF-8')],
    ['UTF-8, named UTF-16', bytes('"é" '), 'application/json; charset=utf-16le', wrong],
    [
      'UTF-8 with an unknown name',
      bytes('"é"'),
      'application/json; charset=x-utf-8',
      expect.stringContaining('unknown'),
    ],
    [
      'UTF-8 with a longer name',
      bytes('"é"'),
      'application/json; charset=utf-88',
      expect.stringContaining('unknown'),
    ],
  ])('is recognised, or reported as drift: %s', (_, body, contentType, message) => {
    const head = { header: (name: string) => (name === 'content-type' ? contentType : undefined) };
    const issues = headerIssues(
      { head, body, codingProblem: undefined } as never,
      { result: 'json' } as never,
    );
    expect(readJson(body, contentType)).toBe('é');
    expect(issues).toEqual(message === undefined ? [] : [{ path: 'headers.content-type', message }]);
  });

  test.each(['file', 'none'])('is not reported as drift if the call expects the result %s', (result) => {
    const head = { header: () => undefined };
    const response = { head, body: latin1('"é"'), codingProblem: 'is br' };
    expect(headerIssues(response as never, { result } as never)).toEqual([
      { path: 'headers.content-encoding', message: 'is br' },
    ]);
  });

  test('is the declared ISO-8859-1 even if the body contains a byte of a byte order mark', () => {
    const declared = 'application/json; charset=iso-8859-1';
    for (const text of ['"ÿ"', '"þ"']) expect(readJson(latin1(text), declared)).toBe(JSON.parse(text));
  });

  test('is not blamed for invalid JSON if the body is valid UTF-8', () => {
    expect(getReadError(() => readJson(bytes('{"a":'))).message).toBe(
      'the body is not JSON, or it was cut short',
    );
  });

  test('is not derived from bytes that only begin like a byte order mark', () => {
    for (const body of [
      [0xfe, 0x22],
      [0xff, 0x22],
    ])
      expect(getReadError(() => readJson(new Uint8Array(body))).message).toContain('not valid UTF-8');
  });
});

test('readObject accepts only an object', () => {
  expect(readObject(bytes('{"a":1}'))).toEqual({ a: 1 });
  for (const text of ['[]', 'null', '"a"', '7'])
    expect(getReadError(() => readObject(bytes(text))).message).toContain('not an object');
});

describe('readFileBody', () => {
  const pdf = (length = 10) => `%PDF-1.7\n${'x'.repeat(length)}\n%%EOF\n`;

  test('returns the bytes of a file and their content type', () => {
    const file = readFileBody(bytes('a,b'), 'text/csv; charset=utf-8', false);
    expect(file).toEqual({ bytes: bytes('a,b'), contentType: 'text/csv; charset=utf-8' });
    expect(readFileBody(bytes('x'), undefined, false).contentType).toBe('application/octet-stream');
  });

  test('returns a plain Uint8Array for a part of a buffer', () => {
    const part = Buffer.from('before;file;behind').subarray(7, 11);
    const { bytes: found } = readFileBody(part, undefined, false);
    expect(Buffer.isBuffer(found)).toBe(false);
    expect(new TextDecoder().decode(found)).toBe('file');
  });

  test('rejects an empty body, with or without a Content-Length', () => {
    for (const isFramed of [true, false])
      expect(getReadError(() => readFileBody(bytes(''), 'text/csv', isFramed)).message).toContain('empty');
  });

  const endless: [string, string, string][] = [
    ['application/pdf', pdf().slice(0, -6), 'PDF'],
    ['Application/PDF;x=1', 'x', 'PDF'],
    ['application/pdf', `${pdf(2_000)}${' '.repeat(1020)}`, 'PDF'],
    ['text/html', '<html><body>half', 'page'],
    ['TEXT/HTML; charset=utf-8', 'x', 'page'],
    ['application/xhtml+xml', `<html></html>${' '.repeat(1020)}`, 'page'],
  ];
  test.each(endless)(
    'rejects a file of type %s without an end marker and without a Content-Length',
    (type, text, why) => {
      expect(getReadError(() => readFileBody(bytes(text), type, false)).message).toContain(why);
      expect(readFileBody(bytes(text), type, true).bytes).toHaveLength(text.length);
    },
  );

  test.each([
    ['application/pdf', pdf()],
    ['application/pdf', `${pdf(5_000)}\n% bytes after the marker`],
    ['application/pdfx', 'x'],
    ['x-application/pdf', 'x'],
    ['text/html', '<html>\n</HTML >\n'],
    ['text/html', '<html></html>'],
    ['application/x-text/html', 'x'],
    ['text/html5', 'x'],
  ])('accepts a complete file of type %s, with or without a Content-Length', (type, text) => {
    for (const isFramed of [true, false])
      expect(readFileBody(bytes(text), type, isFramed).bytes).toHaveLength(text.length);
  });

  test.each<[string, string, readonly string[]]>([
    ['application/pdf', pdf(), []],
    ['application/pdf', ` ${pdf(3_000)}\n\n`, []],
    ['application/pdf', 'x', ['begin as a PDF', 'end marker']],
    ['application/pdf', `${pdf()}trailing`, ['end marker']],
    ['application/pdf', `${'x'.repeat(1020)}${pdf(2_000)}`, ['begin as a PDF']],
    ['text/html; charset=utf-8', '<html></html>', ['text/html']],
    ['application/json', '{}', []],
    ['text/csv', 'a,b', []],
  ])('lists the issues of a file of type %s: %j', (contentType, text, expected) => {
    const issues = fileIssues({ bytes: bytes(text), contentType });
    expect(issues).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(issues[index]?.message).toContain(part);
  });

  test('rejects incomplete JSON that came instead of a file', () => {
    for (const type of ['application/json', 'application/problem+json', 'APPLICATION/JSON; charset=utf-8']) {
      expect(readFileBody(bytes('{}'), type, true).bytes).toHaveLength(2);
      expect(getReadError(() => readFileBody(bytes('{'), type, true)).message).toContain('cut short');
    }
    for (const type of [
      'application/jsonl',
      'application/xjson',
      'x-application/json',
      'application/a b+json',
    ])
      expect(readFileBody(bytes('{'), type, true).bytes).toHaveLength(1);
  });
});

describe('readErrorBody', () => {
  test('returns parsed JSON, or the text if it is not JSON', () => {
    expect(readErrorBody(400, bytes('{"message":"no"}'))).toEqual({ message: 'no' });
    expect(readErrorBody(502, bytes(' Bad Gateway\n'))).toBe('Bad Gateway');
    expect(readErrorBody(302, bytes('{"a":1}'))).toEqual({ a: 1 });
    expect(readErrorBody(400, bytes(''))).toBeUndefined();
    expect(readErrorBody(199, bytes('{"a":1}'))).toEqual({ a: 1 });
    expect(readErrorBody(300, bytes('{"a":1}'))).toEqual({ a: 1 });
  });

  test('returns a 2xx body only if it is an HTML page', () => {
    for (const status of [200, 201, 299]) {
      expect(readErrorBody(status, bytes('{"token":"t"}'))).toBeUndefined();
      expect(readErrorBody(status, bytes(' <html>'))).toBe('<html>');
    }
  });

  test('parses a body of up to 64,000 bytes, and returns only the start of a longer one', () => {
    const json = (length: number) => `"${'x'.repeat(length - 2)}"`;
    expect(readErrorBody(500, bytes(json(64_000)))).toBe('x'.repeat(63_998));
    expect(readErrorBody(500, bytes(json(64_001)))).toBe(`"${'x'.repeat(63_999)}`);
  });
});
