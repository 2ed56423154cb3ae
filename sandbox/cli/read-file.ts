import { createReadStream } from 'node:fs';
import { Failure } from './failure.js';
import { isObject } from './fields.js';

/** In bytes. */
const longestFile = 1_000_000;

const whyUnreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'this user cannot read it',
};

const unreadable = (option: string, path: string, why: string) =>
  new Failure(`${option} ${path} cannot be read: ${why}.`);

export async function readFile(option: string, path: string): Promise<Buffer> {
  const file = await readAtMost(createReadStream(path), longestFile).catch(
    ({ code = '', message }: NodeJS.ErrnoException) => {
      throw unreadable(option, path, whyUnreadable[code] ?? message);
    },
  );
  if (!file.isWhole) throw unreadable(option, path, 'it has more than 1 MB');
  return file.bytes;
}

export async function readJsonFile(option: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  // Some editors on Windows write a byte order mark, which `JSON.parse` rejects.
  const text = (await readFile(option, path)).toString().replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(option, path, `it is not JSON (${(error as Error).message})`);
  }
  if (!isObject(value)) throw unreadable(option, path, 'it is not a JSON object');
  return value;
}

/** `isWhole` means that nothing follows. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isWhole: length <= limit };
}
