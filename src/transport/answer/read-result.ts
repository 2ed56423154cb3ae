import { Shape } from '../../contract/shape.js';
import type { WireNames } from '../../contract/wire-names.js';
import type { Issue } from '../../input/issue.js';
import type { CallShapes, CallSpec } from '../call/call-spec.js';
import type { EngineResponse } from '../send/engine.js';
import {
  decodeText,
  readFile,
  readJson,
  readObject,
  readWholeJson,
  UnreadableBodyError,
} from './read-body.js';

/**
 * Reads the result from a 2xx answer, with the SDK's field names.
 *
 * @throws UnreadableBodyError
 */
export function readResult(
  response: EngineResponse,
  spec: CallSpec,
  shapes: CallShapes,
  names: WireNames,
): object {
  const type = response.head.header('content-type');
  switch (spec.result) {
    case 'none':
      return {};
    case 'file':
      return readFile(response.body, type, isFramed(response.head));
    case 'json':
      return readObjectOrList(response, spec);
    case 'unspecified':
      return readUndocumented(response);
    case 'object':
      return names.areDefault || !(shapes.response instanceof Shape)
        ? readObject(response.body, type)
        : names.fromWire(shapes.response, readObject(response.body, type));
  }
}

/** Reads an object or a list. A bare number is refused: it could be part of a longer body that was cut. */
function readObjectOrList(response: EngineResponse, { method }: CallSpec): object {
  const { head, body } = response;
  if (body.length === 0 && (head.status === 204 || method === 'HEAD')) return {};
  const value = readJson(body, head.header('content-type'));
  if (typeof value === 'object' && value !== null) return value;
  throw new UnreadableBodyError('the body is neither an object nor a list');
}

/**
 * Reads a success whose body is undocumented. The 2xx status alone says that the platform executed the
 * call, so whatever comes is delivered: an object or a list as it is, another value of JSON or a text as
 * `value`, and nothing as an empty object. Two bodies are refused: an HTML page, which comes from a proxy,
 * and what is incomplete, because a retry can get the complete body.
 */
function readUndocumented(response: EngineResponse): object {
  const { head, body } = response;
  if (body.length === 0) return {};
  const type = head.header('content-type') ?? '';
  const isPage = /html/i.test(type) || /^\s*</.test(new TextDecoder().decode(body.subarray(0, 64)));
  const isText = /^text\//i.test(type);
  if (!isPage && type !== '' && !/json/i.test(type))
    return isText && isFramed(head) ? { value: decodeText(body, type).text } : {};
  const value = readWholeJson(body, type, isFramed(head));
  return typeof value === 'object' && value !== null ? value : { value };
}

/** How the bytes of a result differ from the headers that describe them. */
export function headerIssues({ head, body, codingProblem }: EngineResponse, { result }: CallSpec): Issue[] {
  const isText = result !== 'file' && result !== 'none';
  const charsetProblem = isText ? decodeText(body, head.header('content-type')).charsetProblem : undefined;
  return [
    { path: 'headers.content-encoding', message: codingProblem },
    { path: 'headers.content-type', message: charsetProblem },
  ].flatMap(({ path, message }) => (message === undefined ? [] : [{ path, message }]));
}

/** Whether a length or chunks prove that the body is whole. Without them it ends with the connection. */
const isFramed = (head: EngineResponse['head']): boolean =>
  (head.header('content-length') ?? head.header('transfer-encoding')) !== undefined;
