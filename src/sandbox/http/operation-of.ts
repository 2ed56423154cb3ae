import { type OperationId, operations } from '../../contract/index.js';

const patterns = operations.map(({ id, method, path }) => ({
  id,
  method,
  path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The operation of a request whose body has not been read. HEAD is answered as GET. */
export function operationOf({ method, url }: Pick<Request, 'method' | 'url'>): OperationId | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const { pathname } = new URL(url);
  return patterns.find((pattern) => pattern.method === wanted && pattern.path.test(pathname))?.id;
}
