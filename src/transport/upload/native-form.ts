import type { Deadline } from '../deadline.js';
import { FileProblem, joined } from './file-content.js';
import type { Form } from './form.js';

/** A form as bytes, with the content type that names its boundary. */
export interface EncodedForm {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

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
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of content.read()) {
          // Asked of the clock: a stream that always has more to give lets no timer fire.
          if (deadline.remaining === 0) throw new FileProblem('was not read to its end', true);
          chunks.push(chunk.slice());
        }
      } catch (error) {
        throw error instanceof FileProblem ? new FileProblem(`${name} ${error.message}`, error.final) : error;
      }
      data.append(name, new File([joined(chunks)], content.filename, { type: content.contentType }));
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
