/** Uploads that every parser of forms must read alike. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { FileInput } from 'payment-platform';
import { expect } from 'vitest';
import { bankAccount, jpeg, pdf, pf } from './onboarding.js';
import { type ParsedPart, sha256 } from './parsed-form.js';

/**
 * Lists names that break a header, a parser or a file system, each with the name that every parser must read.
 */
export const awkwardNames: [filename: string, read: string][] = [
  ['rg frente.jpg', 'rg frente.jpg'],
  ['certidão_de_nascimento_ção.jpg', 'certidão_de_nascimento_ção.jpg'],
  ['foto 📷 2026.jpg', 'foto 📷 2026.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\Ana\\selfie.jpg', 'selfie.jpg'],
  ['a"; filename="b.exe', "a'; filename='b.exe"],
  ['line\r\nContent-Type: text/html\r\n\r\nbreak.jpg', 'htmlbreak.jpg'],
  ['nul\0l.jpg', 'null.jpg'],
  ['semi;colon=x.jpg', 'semi;colon=x.jpg'],
  ['percent%22%0D%0A.jpg', 'percent_22_0D_0A.jpg'],
  ['entity&#1234;.jpg', 'entity_#1234;.jpg'],
  ['e\u0301.jpg', 'é.jpg'],
  ['rtl\u202egpj.exe', 'rtlgpj.exe'],
  ['half\ud800.jpg', 'half_.jpg'],
  ['..', 'selfie.jpg'],
  ['', 'selfie.jpg'],
  [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(115)}.jpeg`],
];

/** Lists every kind of source for a JPEG. `path` writes a file and returns its path. */
export function sources(
  path: (name: string, content: Uint8Array) => Promise<string>,
): Record<string, () => FileInput | Promise<FileInput>> {
  return {
    'a path': () => path('path.jpg', jpeg),
    'a file: URL': async () => pathToFileURL(await path('ação url.jpg', jpeg)),
    'a Buffer': () => Buffer.from(jpeg),
    'a Uint8Array': () => jpeg,
    'an ArrayBuffer': () => jpeg.slice().buffer,
    'a Blob': () => new Blob([jpeg]),
    'a File': () => new File([jpeg], 'file.jpg', { type: 'image/jpeg' }),
    'a Node stream': () => Readable.from([jpeg.subarray(0, 5), jpeg.subarray(5)], { objectMode: false }),
    'a read stream of a file': async () => createReadStream(await path('stream.jpg', jpeg)),
    'a web stream': () => new Blob([jpeg]).stream(),
    'a function that makes a Node stream': () => () => Readable.from([jpeg], { objectMode: false }),
    'a function that makes a web stream': () => () => new Blob([jpeg]).stream(),
    'bytes with a name and a type': () => ({ content: jpeg, filename: 'a.jpg', contentType: 'image/jpeg' }),
    'a path with a name': async () => ({ content: await path('named.jpg', jpeg), filename: 'b.jpg' }),
    'a stream with a name': () => ({
      content: Readable.from([jpeg], { objectMode: false }),
      filename: 'c.jpg',
    }),
  };
}

/** Expects a form with all fields, whose selfie has this file name. */
export function expectName(parts: readonly ParsedPart[], filename: string): void {
  expect(parts).toHaveLength(14);
  expect(parts.find(({ name }) => name === 'selfie')?.file).toEqual({
    filename,
    contentType: 'image/jpeg',
    sha256: sha256(jpeg),
  });
}

/** Expects a form with all fields and both files, unchanged. */
export function expectUnchanged(parts: readonly ParsedPart[]): void {
  expect(Object.fromEntries(parts.map(({ name, text }) => [name, text]))).toEqual({
    ...pf,
    bankAccount: JSON.stringify(bankAccount),
    cnhCompleta: undefined,
    selfie: undefined,
  });
  const files = parts.filter(({ file }) => file !== undefined);
  expect(files.map(({ name, file }) => [name, file?.contentType, file?.sha256])).toEqual([
    ['cnhCompleta', 'application/pdf', sha256(pdf)],
    ['selfie', 'image/jpeg', sha256(jpeg)],
  ]);
}
