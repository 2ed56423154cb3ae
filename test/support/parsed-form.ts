import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import busboy from 'busboy';

/** One form field, as a parser read it. */
export interface ParsedPart {
  readonly name: string;
  readonly text?: string;
  readonly file?: { readonly filename: string; readonly contentType: string; readonly sha256: string };
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Sorts the fields by their names, because each parser has its own order. */
export const byName = (parts: ParsedPart[]) => parts.sort((a, b) => (a.name < b.name ? -1 : 1));

/** Parses with Busboy. */
export async function withBusboy(body: Buffer, contentType: string): Promise<ParsedPart[]> {
  const parts: ParsedPart[] = [];
  const parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8' });
  parser.on('field', (name, text) => parts.push({ name, text }));
  parser.on('file', (name, stream, { filename, mimeType }) => {
    const hash = createHash('sha256');
    stream.on('data', (chunk: Buffer) => hash.update(chunk));
    stream.on('end', () =>
      parts.push({
        name,
        file: { filename: filename ?? '', contentType: mimeType, sha256: hash.digest('hex') },
      }),
    );
  });
  await new Promise((resolve, reject) => {
    parser.on('close', resolve);
    parser.on('error', reject);
    Readable.from([body]).pipe(parser);
  });
  return byName(parts);
}

/** Parses with the parser of Node's own fetch. */
export async function withResponse(body: Buffer, contentType: string): Promise<ParsedPart[]> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  const parts: ParsedPart[] = [];
  for (const [name, value] of await response.formData()) {
    if (typeof value === 'string') parts.push({ name, text: value });
    else {
      const bytes = new Uint8Array(await value.arrayBuffer());
      parts.push({
        name,
        file: { filename: value.name, contentType: value.type, sha256: sha256(bytes) },
      });
    }
  }
  return byName(parts);
}
