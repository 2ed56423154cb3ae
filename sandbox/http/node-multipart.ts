import { once } from 'node:events';
import { UploadedFile } from '../sellers/uploaded-file.js';

/** In bytes. No field of this API is longer. */
const longestField = 1024 * 1024;

/** No form of this API has nearly as many. */
const maxParts = 1_000;

export type Part = string | UploadedFile;

export async function readParts(
  contentType: string,
  bytes: Uint8Array,
): Promise<[name: string, value: Part][]> {
  // Loaded on first use, because most runs send no form.
  const { default: parser } = await import('@fastify/busboy');
  const parts: [name: string, value: Part][] = [];
  const demand = (name: unknown) => {
    if (typeof name !== 'string' || name === '') throw new Error('a part has no name');
    return name;
  };
  const busboy = new parser.Busboy({
    headers: { 'content-type': contentType },
    limits: { fieldSize: longestField, parts: maxParts },
    preservePath: true,
  });
  const failure = new Promise<never>((_, reject) => {
    const guarded =
      <Args extends unknown[]>(listener: (...args: Args) => void) =>
      (...args: Args) => {
        try {
          listener(...args);
        } catch (error) {
          reject(error);
        }
      };
    // The parser can report several errors; `once` below handles only the first.
    busboy.on('error', reject);
    busboy.on('partsLimit', () => reject(new Error(`it has more than ${maxParts} parts`)));
    busboy.on(
      'field',
      guarded((name, value, _nameTruncated, valueTruncated) => {
        if (valueTruncated) throw new Error(`the field ${name} has more than ${longestField} bytes`);
        parts.push([demand(name), value]);
      }),
    );
    busboy.on(
      'file',
      guarded((name, stream, filename, _transferEncoding, type) => {
        const chunks: Buffer[] = [];
        // A file keeps the position of its start, although it can end after later parts.
        const position = parts.push(['', '']) - 1;
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', reject);
        stream.on(
          'end',
          guarded(() => {
            parts[position] = [demand(name), new UploadedFile(filename, type, Buffer.concat(chunks))];
          }),
        );
      }),
    );
  });
  const finished = once(busboy, 'finish');
  busboy.end(bytes);
  await Promise.race([finished, failure]);
  return parts;
}
