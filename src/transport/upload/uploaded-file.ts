import { isRecord } from '../../validation/record.js';

export interface UploadedParts {
  /** Bytes, a stream, or a path. */
  readonly content: unknown;
  readonly filename: string | undefined;
  readonly type: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Form data is unlikely to have these combinations of names. */
const parsers: readonly ((fields: Fields) => UploadedParts | undefined)[] = [
  // multer: `buffer` from memoryStorage, `path` from diskStorage.
  ({ originalname, mimetype, buffer, path, stream }) =>
    typeof originalname === 'string' && typeof mimetype === 'string'
      ? { content: buffer ?? path ?? stream, filename: originalname, type: mimetype }
      : undefined,
  // formidable
  ({ filepath, originalFilename, mimetype }) =>
    typeof filepath === 'string' && originalFilename !== undefined
      ? { content: filepath, filename: text(originalFilename), type: text(mimetype) }
      : undefined,
  // @fastify/multipart
  ({ file, filename, mimetype, toBuffer }) =>
    typeof toBuffer === 'function' && isRecord(file)
      ? { content: file, filename: text(filename), type: text(mimetype) }
      : undefined,
];

export function readUploadedParts(value: unknown): UploadedParts | undefined {
  if (!isRecord(value)) return undefined;
  for (const parse of parsers) {
    const parts = parse(value);
    if (parts !== undefined) return parts;
  }
  return undefined;
}
