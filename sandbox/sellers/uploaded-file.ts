import type { Fields } from '../../src/contract/operation.js';
import { fromBase64, toBase64 } from '../runtime/bytes.js';
import { sha256 } from '../state/payload-digest.js';
import type { Codec } from '../state/table.js';

/** Its bytes are private, so that they are not printed. */
export class UploadedFile {
  /** As sent; undefined if the part has none. */
  readonly filename: string | undefined;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly #bytes: Uint8Array;

  constructor(filename: string | undefined, contentType: string, bytes: Uint8Array) {
    this.filename = filename;
    this.contentType = contentType;
    this.size = bytes.length;
    this.sha256 = sha256(bytes);
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }
}

export function textFields(form: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => !(value instanceof UploadedFile)));
}

export function fileFields(form: Fields): Map<string, UploadedFile> {
  const files = new Map<string, UploadedFile>();
  for (const [name, value] of Object.entries(form)) {
    if (value instanceof UploadedFile) files.set(name, value);
  }
  return files;
}

interface Encoded {
  readonly filename?: string | undefined;
  readonly contentType: string;
  readonly base64: string;
}

export const uploadedFileCodec: Codec<UploadedFile> = {
  encode: ({ filename, contentType, bytes }): Encoded => ({
    filename,
    contentType,
    base64: toBase64(bytes),
  }),
  decode: (json) => {
    const { filename, contentType, base64 } = json as Encoded;
    return new UploadedFile(filename, contentType, fromBase64(base64));
  },
};
