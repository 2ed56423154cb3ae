import type { Deadline } from '../deadline.js';
import { FileProblem } from './file-content.js';
import type { FormFile } from './files.js';
import type { Form } from './form.js';
import { Turns } from './turns.js';

/** A form as bytes, with the content type that names its boundary. */
export interface EncodedForm {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** So many files of this machine are read in the same moment: a process may have few files open. */
const diskReads = new Turns(32);

const encoded = new WeakMap<Form, EncodedForm>();

/**
 * A form in the encoding of the runtime's own FormData, once: the boundary is random, and every attempt
 * must send the same bytes.
 *
 * @throws FileProblem
 */
export async function encodeForm(form: Form, deadline: Deadline): Promise<EncodedForm> {
  const known = encoded.get(form);
  if (known !== undefined) return known;
  const data = new FormData();
  for (const [name, content] of form.parts) {
    if (typeof content === 'string') data.append(name, content);
    else {
      const done = content.isOnDisk ? await diskReads.take() : undefined;
      try {
        const chunks = await chunksOf(content, deadline);
        data.append(name, new File(chunks, content.filename, { type: content.contentType }));
      } catch (error) {
        throw error instanceof FileProblem ? new FileProblem(`${name} ${error.message}`, error.final) : error;
      } finally {
        done?.();
      }
    }
  }
  const response = new Response(data);
  const result = {
    bytes: new Uint8Array(await response.arrayBuffer()),
    contentType: response.headers.get('content-type') ?? '',
  };
  encoded.set(form, result);
  return result;
}

async function chunksOf(file: FormFile, deadline: Deadline): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  // Asked of the clock: a stream that always has more to give lets no timer fire.
  const mustBeInTime = () => {
    if (deadline.remaining === 0) throw new FileProblem('was not read to its end', true);
  };
  mustBeInTime();
  for await (const chunk of file.read()) {
    mustBeInTime();
    chunks.push(chunk.slice());
  }
  return chunks;
}
