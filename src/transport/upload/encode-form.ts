import { FileProblem } from './file-content.js';
import type { Form } from './form.js';

const utf8 = new TextEncoder();

/** The head of one part. What names may have was checked when the form was read. */
function headOf(boundary: string, [name, content]: Form['parts'][number]): Uint8Array {
  const disposition = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  return utf8.encode(
    typeof content === 'string'
      ? `${disposition}\r\n\r\n`
      : `${disposition}; filename="${content.filename}"\r\ncontent-type: ${content.contentType}\r\n\r\n`,
  );
}

const endOf = (boundary: string) => utf8.encode(`--${boundary}--\r\n`);
const lineBreak = utf8.encode('\r\n');

/** The length of a form in bytes; undefined if that of one of its streams is unknown. */
export function formLength({ boundary, parts }: Form): number | undefined {
  let length = endOf(boundary).length;
  for (const part of parts) {
    const [, content] = part;
    const size = typeof content === 'string' ? utf8.encode(content).length : content.size;
    if (size === undefined) return undefined;
    length += headOf(boundary, part).length + size + lineBreak.length;
  }
  return length;
}

/** The bytes of a form, as RFC 7578 has them: the same for every attempt. @throws FileProblem, with the name of the field */
export async function* formBytes({ boundary, parts }: Form): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (const part of parts) {
    const [name, content] = part;
    yield headOf(boundary, part).slice();
    if (typeof content === 'string') yield utf8.encode(content);
    else {
      try {
        // Copied, because the memory of a chunk is used again for the next.
        for await (const chunk of content.read()) yield chunk.slice();
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        throw new FileProblem(`${name} ${error.message}`, error.permanent);
      }
    }
    yield lineBreak.slice();
  }
  yield endOf(boundary).slice();
}
