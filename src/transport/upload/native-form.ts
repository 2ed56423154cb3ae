import type { Deadline } from '../deadline.js';
import { FileProblem } from './file-content.js';
import { ConcurrencyLimit } from './file-limits.js';
import type { FormFile } from './files.js';
import type { Form } from './form.js';

/** A form as bytes, with the content type that names its boundary. */
export interface EncodedForm {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** How many files are read from disk at once: a process may only have a limited number of files open. */
const diskReads = new ConcurrencyLimit(32);

const encodedForms = new WeakMap<Form, EncodedForm>();

/**
 * Encodes a form with the runtime's own FormData. Done once per form: the boundary is random, and every
 * attempt must send the same bytes.
 *
 * @throws FileProblem
 */
export async function encodeForm(form: Form, deadline: Deadline): Promise<EncodedForm> {
  const cached = encodedForms.get(form);
  if (cached !== undefined) return cached;
  const data = new FormData();
  for (const [name, content] of form.parts) {
    if (typeof content === 'string') data.append(name, content);
    else {
      const release = content.isOnDisk ? await diskReads.acquire() : undefined;
      try {
        const chunks = await chunksOf(content, deadline);
        data.append(name, new File(chunks, content.filename, { type: content.contentType }));
      } catch (error) {
        throw error instanceof FileProblem
          ? new FileProblem(`${name} ${error.message}`, error.permanent)
          : error;
      } finally {
        release?.();
      }
    }
  }
  const response = new Response(data);
  // Read first: on Bun the header is gone when the body was read.
  const contentType = response.headers.get('content-type') ?? '';
  const result = { bytes: new Uint8Array(await response.arrayBuffer()), contentType };
  encodedForms.set(form, result);
  return result;
}

async function chunksOf(file: FormFile, deadline: Deadline): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  // Checked against the clock: a stream that always has a chunk ready keeps timers from firing.
  const checkDeadline = () => {
    if (deadline.remaining === 0) throw new FileProblem('was not read to its end', true);
  };
  checkDeadline();
  for await (const chunk of file.read()) {
    checkDeadline();
    chunks.push(chunk.slice());
  }
  return chunks;
}
