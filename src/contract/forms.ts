import type { Open } from './types.js';

/**
 * A Node stream. The type lists the members that it needs, so that the package's types do not depend on
 * Node's.
 */
export interface NodeStream {
  /** Whether the stream can still be read. */
  readonly readable: boolean;
  /** Node's method. The SDK does not call it. */
  pipe(...args: never[]): unknown;
  /** Node's method. */
  on(...args: never[]): unknown;
}

/** The content of a file. */
export type FileContent =
  /**
   * The path of a file on this machine, in fields that the API docs describe as files. In other fields, a
   * string is data. Never pass user input here, because the path could point to any file on this machine.
   */
  | string
  /** A `file:` URL, in any field. */
  | URL
  /** Bytes, including a Buffer. The SDK copies them. */
  | Uint8Array
  | ArrayBuffer
  /** A File's name is also sent. */
  | Blob
  /**
   * A stream. The SDK can read it only once, so the call is not retried after reading has begun. If the SDK
   * never reads the stream, it leaves the stream open for you.
   */
  | NodeStream
  | ReadableStream<Uint8Array>
  /** A function that is called for every attempt. It must return the same bytes each time. */
  | (() => FileStream | Promise<FileStream>);

/** A byte stream: a Node stream or a web stream. */
export type FileStream = NodeStream | ReadableStream<Uint8Array>;

/** A file with its name and media type. */
export interface NamedFile {
  /** A path, bytes, a Blob, a stream, or a function that returns a stream. */
  content: FileContent;
  /**
   * Default: the file name of the path, the File or the stream of a file, otherwise the name of the field, with
   * the extension of a recognised type. Folders and control characters are removed.
   */
  filename?: string | undefined;
  /**
   * The media type. Default: recognised from the first bytes (JPEG, PNG, PDF, HEIC, WebP), otherwise the
   * Blob's type, or application/octet-stream.
   */
  contentType?:
    | Open<'image/jpeg' | 'image/png' | 'application/pdf' | 'image/heic' | 'image/webp'>
    | undefined;
}

/**
 * A file from an upload parser: multer (in memory or on disk), formidable, or @fastify/multipart. The SDK
 * sends the sender's file name and content type, but a type detected from the first bytes takes precedence.
 * Pass the parser's object itself, never an object that arrived as JSON, because its path could point to any
 * file on this machine.
 */
export type UploadedFile = MulterMemoryFile | MulterDiskFile | FormidableFile | FastifyFile;

/** A multer file with `memoryStorage`. */
export interface MulterMemoryFile {
  /** The file name that the sender claimed. */
  readonly originalname: string;
  /** The media type that the sender claimed. */
  readonly mimetype: string;
  /** The file's bytes. */
  readonly buffer: Uint8Array;
}

/** A multer file with `diskStorage`. */
export interface MulterDiskFile {
  /** The file name that the sender claimed. */
  readonly originalname: string;
  /** The media type that the sender claimed. */
  readonly mimetype: string;
  /** The path where multer stored the file. */
  readonly path: string;
}

/** A formidable file. */
export interface FormidableFile {
  /** The path where formidable stored the file. */
  readonly filepath: string;
  /** The file name that the sender claimed, or null. */
  readonly originalFilename: string | null;
  /** The media type that the sender claimed, or null. */
  readonly mimetype: string | null;
}

/** A file from @fastify/multipart. */
export interface FastifyFile {
  /** The file name that the sender claimed. */
  readonly filename: string;
  /** The media type that the sender claimed. */
  readonly mimetype: string;
  /** The file's bytes, which can be read once. A file that the parser truncated at its limit is rejected. */
  readonly file: NodeStream;
  /** A method of @fastify/multipart, which the SDK does not call. */
  toBuffer(): Promise<Uint8Array>;
}

/**
 * A file to send: its content alone, or its content with a name and a type. The SDK opens files before it
 * sends the first byte, except a stream with a `contentType`, which it opens when it reaches the stream's
 * field in the form. In a field that the API docs describe as a file, the SDK treats a 0-byte file as missing
 * and rejects it.
 */
export type FileInput = FileContent | NamedFile | UploadedFile;

/**
 * An undocumented form field: a string, a value that is sent as a string, an object that is sent as a JSON
 * string, or a file. A plain string is not read as a file path here.
 */
export type FormValue = string | number | boolean | object | undefined;
