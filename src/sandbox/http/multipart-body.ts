import { once } from 'node:events';
import { UploadedFile } from '../sellers/uploaded-file.js';
import type { RequestBody } from './request-body.js';

/** Bytes. No field of this API is longer. */
const longestField = 1024 * 1024;

/** Parts of one form. No form of this API has nearly as many. */
const mostParts = 1_000;

/** A value of a form. */
type Part = string | UploadedFile;

/** Reads a form. If it is malformed, the result has an objection instead of a value. */
export async function readMultipart(contentType: string, bytes: Uint8Array): Promise<RequestBody> {
  try {
    const parts = await partsOf(contentType, bytes);
    return { encoding: 'multipart', value: fieldsOf(parts) };
  } catch (error) {
    const objection = `The body is not valid multipart/form-data: ${(error as Error).message}.`;
    return { encoding: 'multipart', value: undefined, objection };
  }
}

async function partsOf(contentType: string, bytes: Uint8Array): Promise<[name: string, value: Part][]> {
  // Loaded on first use: most runs send no form.
  const { default: parser } = await import('@fastify/busboy');
  const parts: [name: string, value: Part][] = [];
  const demand = (name: unknown) => {
    if (typeof name !== 'string' || name === '') throw new Error('a part has no name');
    return name;
  };
  const busboy = new parser.Busboy({
    headers: { 'content-type': contentType },
    limits: { fieldSize: longestField, parts: mostParts },
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
    // The parser may report more than one error; `once` below handles only the first.
    busboy.on('error', reject);
    busboy.on('partsLimit', () => reject(new Error(`it has more than ${mostParts} parts`)));
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
        // A file keeps the position at which it began, although it ends later.
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

function fieldsOf(parts: readonly [name: string, value: Part][]): Record<string, Part | Part[]> {
  const fields = new Map<string, Part | Part[]>();
  for (const [name, value] of parts) {
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}
