import { readParts } from '#sandbox-server';
import { isErrorNamed } from '../../src/validation/builtins.js';
import { parseJson, TooComplexError } from '../../src/validation/json.js';
import type { Part } from './node-multipart.js';
import { mediaType } from './receive-body.js';
import { contentTypes, type RequestBody } from './request-body.js';

/** As JSON if the API does not use the content type. */
export function parseBody(headers: Headers, bytes: Uint8Array): RequestBody | Promise<RequestBody> {
  switch (detectEncoding(headers)) {
    case 'multipart':
      return readMultipart(headers.get('content-type') ?? '', bytes);
    case 'form':
      return readForm(bytes);
    case 'json':
      return readJson('json', bytes);
    default:
      return readJson('other', bytes);
  }
}

function detectEncoding(headers: Headers): RequestBody['encoding'] {
  const type = mediaType(headers);
  const names = Object.keys(contentTypes) as (keyof typeof contentTypes)[];
  return names.find((name) => contentTypes[name] === type) ?? 'other';
}

function readJson(encoding: RequestBody['encoding'], bytes: Uint8Array): RequestBody {
  if (bytes.length === 0) {
    return { encoding, value: undefined, isEmpty: true, problem: 'The body is empty; JSON is expected.' };
  }
  try {
    return { encoding, value: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { encoding, value: undefined, problem: objectionTo(error) };
  }
}

function objectionTo(error: unknown): string {
  if (error instanceof TooComplexError) return `The body is not acceptable: ${error.message}.`;
  return isErrorNamed(error, 'SyntaxError') ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
}

/** A parameter must not be included more than once (RFC 6749, 3.2). */
function readForm(bytes: Uint8Array): RequestBody {
  const parameters = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  const value = Object.fromEntries(parameters);
  if (Object.keys(value).length === parameters.length) return { encoding: 'form', value };
  return { encoding: 'form', value, problem: 'A parameter of the body is sent more than once.' };
}

export async function readMultipart(contentType: string, bytes: Uint8Array): Promise<RequestBody> {
  try {
    const parts = await readParts(contentType, bytes);
    return { encoding: 'multipart', value: toFields(parts) };
  } catch (error) {
    const problem = `The body is not valid multipart/form-data: ${(error as Error).message}.`;
    return { encoding: 'multipart', value: undefined, problem };
  }
}

function toFields(parts: readonly [name: string, value: Part][]): Record<string, Part | Part[]> {
  const fields = new Map<string, Part | Part[]>();
  for (const [name, value] of parts) {
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}
