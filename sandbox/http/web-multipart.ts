import { UploadedFile } from '../sellers/uploaded-file.js';
import type { Part } from './node-multipart.js';

export async function readParts(
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<[name: string, value: Part][]> {
  const response = new Response(bytes, { headers: { 'content-type': contentType } });
  const form = await response.formData().catch((cause) => {
    throw new Error('it cannot be read', { cause });
  });
  return Promise.all(
    Array.from(form, async ([name, value]): Promise<[string, Part]> => [name, await readPart(value)]),
  );
}

async function readPart(value: string | File): Promise<Part> {
  if (typeof value === 'string') return value;
  return new UploadedFile(value.name, value.type, new Uint8Array(await value.arrayBuffer()));
}
