import type { Open } from './types.js';

/** A stream of Node, by its shape, so that the package's types need none of Node's. */
export interface NodeStream {
  readonly readable: boolean;
  pipe(...args: never[]): unknown;
  on(...args: never[]): unknown;
}

/** What the content of a file can be. */
export type FileContent =
  /**
   * A path on this machine, in the fields that the API document calls files; elsewhere text is text. Never
   * pass on text that comes from outside: it would say which of your files is sent.
   */
  | string
  /** `file:` only, in any field. */
  | URL
  /** Bytes, a Buffer included. They are copied. */
  | Uint8Array
  | ArrayBuffer
  /** A File brings its name along. */
  | Blob
  /** Read once: such a call is not repeated after reading has begun. Before that it stays yours, as it was. */
  | NodeStream
  | ReadableStream<Uint8Array>
  /** Called for every attempt; it must give the same bytes each time. */
  | (() => FileStream | Promise<FileStream>);

export type FileStream = NodeStream | ReadableStream<Uint8Array>;

/** A file with what it is called and what it is. */
export interface NamedFile {
  content: FileContent;
  /** Default: the name of the path or the File, else the name of the field. Folders and control characters are dropped. */
  filename?: string | undefined;
  /** Default: what the first bytes say (JPEG, PNG, PDF, HEIC, WebP), else application/octet-stream. */
  contentType?:
    | Open<'image/jpeg' | 'image/png' | 'application/pdf' | 'image/heic' | 'image/webp'>
    | undefined;
}

/**
 * A file to send: its content, or its content with a name and a type. Every file is looked at before the
 * first byte goes out; a stream with a `contentType` is opened only when its turn comes. In a field that the
 * API document calls a file, 0 bytes are refused as a missing file.
 */
export type FileInput = FileContent | NamedFile;

/** A form field that the API document does not show: text, a value that is sent as text, an object that is sent as a JSON string, or a file that is not given as a bare path. */
export type FormValue = string | number | boolean | object | undefined;
