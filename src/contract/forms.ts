import type { Open } from './types.js';

/** A Node stream. Lists its members, so that the package's types do not depend on Node's. */
export interface NodeStream {
  /** Whether it can still be read. */
  readonly readable: boolean;
  /** As Node has it. It is not called. */
  pipe(...args: never[]): unknown;
  /** As Node has it. */
  on(...args: never[]): unknown;
}

/** The content of a file. */
export type FileContent =
  /**
   * A path on this machine, in fields that the API docs describe as files. In other fields a string is sent
   * unchanged. Never pass user input here: it could send any file of this machine.
   */
  | string
  /** A `file:` URL, in any field. */
  | URL
  /** Bytes, a Buffer included. They are copied. */
  | Uint8Array
  | ArrayBuffer
  /** The name of a File is used. */
  | Blob
  /** Can be read only once: the call is not sent again after reading has begun. A stream that was not read is left to you unchanged. */
  | NodeStream
  | ReadableStream<Uint8Array>
  /** Called for every attempt; it must return the same bytes each time. */
  | (() => FileStream | Promise<FileStream>);

/** A byte stream: a Node stream or a web stream. */
export type FileStream = NodeStream | ReadableStream<Uint8Array>;

/** A file with its name and media type. */
export interface NamedFile {
  /** A path, bytes, a Blob, a stream, or a function that gives a stream. */
  content: FileContent;
  /** Default: the file name of the path or the File, otherwise the name of the field. Folders and control characters are removed. */
  filename?: string | undefined;
  /** The media type. Default: recognised from the first bytes (JPEG, PNG, PDF, HEIC, WebP), otherwise application/octet-stream. */
  contentType?:
    | Open<'image/jpeg' | 'image/png' | 'application/pdf' | 'image/heic' | 'image/webp'>
    | undefined;
}

/**
 * A file from an upload parser: multer (in memory or on disk), formidable, or @fastify/multipart. The SDK sends the
 * sender's file name and content type, but a type detected from the first bytes wins. Pass the parser's object
 * itself, never one that came as JSON: its path could be any file of this machine.
 */
export type UploadedFile = MulterMemoryFile | MulterDiskFile | FormidableFile | FastifyFile;

/** A file of multer with its `memoryStorage`. */
export interface MulterMemoryFile {
  /** The name that its sender gave. */
  readonly originalname: string;
  /** The media type that its sender claimed. */
  readonly mimetype: string;
  /** Its bytes. */
  readonly buffer: Uint8Array;
}

/** A file of multer with its `diskStorage`. */
export interface MulterDiskFile {
  /** The name that its sender gave. */
  readonly originalname: string;
  /** The media type that its sender claimed. */
  readonly mimetype: string;
  /** Where multer stored it. */
  readonly path: string;
}

/** A file of formidable. */
export interface FormidableFile {
  /** Where formidable stored it. */
  readonly filepath: string;
  /** The name that its sender gave; null without one. */
  readonly originalFilename: string | null;
  /** The media type that its sender claimed; null without one. */
  readonly mimetype: string | null;
}

/** A file of @fastify/multipart. */
export interface FastifyFile {
  /** The name that its sender gave. */
  readonly filename: string;
  /** The media type that its sender claimed. */
  readonly mimetype: string;
  /** Its bytes, which can be read once. A file that the parser cut off at its limit is rejected. */
  readonly file: NodeStream;
  /** As @fastify/multipart has it. It is not called. */
  toBuffer(): Promise<Uint8Array>;
}

/**
 * A file to send: its content, or its content with a name and a type. Every file is opened before the first
 * byte is sent; only a stream with a `contentType` is first read when the form reaches it. In a field that
 * the API docs describe as a file, a file of 0 bytes is rejected as missing.
 */
export type FileInput = FileContent | NamedFile | UploadedFile;

/**
 * An undocumented form field: text, a value that is sent as text, an object that is sent as a JSON string,
 * or a file. A plain string is text here, not the path of a file.
 */
export type FormValue = string | number | boolean | object | undefined;
