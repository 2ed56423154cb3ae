import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

interface RegistryRequest {
  readonly path: string;
  readonly body: string;
}

type Responder = (
  request: RegistryRequest,
  url: string,
) => { readonly status?: number; readonly json: unknown };

/** Starts a registry on loopback, and records the requests that npm sends. */
export async function startRegistry(respond: Responder) {
  const requests: RegistryRequest[] = [];
  let url = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const one = { path: request.url ?? '', body: body.toString() };
    requests.push(one);
    const { status = 200, json } = respond(one, url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
