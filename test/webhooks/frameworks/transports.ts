/** Sends deliveries to an application, over TCP byte by byte or as a Request in the same process. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RawClient } from '../../../sandbox/test/raw-client.js';
import { path as pathOfDeliveries, type Sent } from './deliveries.js';
import type { Application, SentResponse } from './expectations.js';

/** Wraps a listening server as an application. */
export function overSockets(port: number, close: () => unknown): Application {
  return {
    deliver: (sent) => deliverTo(port, sent),
    async deliverOnOneConnection(all) {
      const client = await RawClient.open({ port });
      const responses: (SentResponse | undefined)[] = [];
      for (const sent of all) responses.push(await deliverOn(client, sent));
      client.close();
      return responses;
    },
    close,
  };
}

/** Starts a node:http server. */
export async function listening(server: Server): Promise<Application> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return overSockets((server.address() as AddressInfo).port, () => {
    server.closeAllConnections();
    server.close();
  });
}

async function deliverTo(port: number, sent: Sent): Promise<SentResponse | undefined> {
  const client = await RawClient.open({ port });
  try {
    return await deliverOn(client, sent);
  } finally {
    client.close();
  }
}

async function deliverOn(client: RawClient, sent: Sent): Promise<SentResponse | undefined> {
  // The response can arrive before the body is sent.
  const written = listWrites(sent).map((bytes) => client.write(bytes));
  if (sent.ending === 'hangs up') {
    await Promise.all(written);
    return undefined;
  }
  const { status, body } = await client.reply();
  return { status, body };
}

/** Lists the chunks that are written to the socket, in order. */
function listWrites({
  method = 'POST',
  path = pathOfDeliveries,
  headers,
  parts,
  isChunked,
  declaredLength,
  ending,
}: Sent): Uint8Array[] {
  const length = declaredLength ?? parts.reduce((sum, part) => sum + part.length, 0);
  const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: merchant.test',
    ...fields,
    ...(method === 'GET' ? [] : [framing]),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  const body = isChunked ? parts.map(frameChunk) : parts;
  const end = isChunked && ending === undefined ? [Buffer.from('0\r\n\r\n')] : [];
  // The headers and the first part are one write, so that a limit of some milliseconds never expires between
  // them.
  return [Buffer.concat([head, ...body.slice(0, 1)]), ...body.slice(1), ...end];
}

const frameChunk = (part: Uint8Array) =>
  Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);

/** Wraps a function from Request to Response as an application, without a server. */
export function inProcess(fetch: (request: Request) => Response | Promise<Response>): Application {
  return {
    async deliver(sent) {
      const pending = fetch(toRequest(sent));
      if (sent.ending === 'hangs up') return undefined;
      const response = await pending;
      return { status: response.status, body: await response.text() };
    },
  };
}

function toRequest({
  method = 'POST',
  path = pathOfDeliveries,
  headers,
  parts,
  isChunked,
  declaredLength,
  ending,
}: Sent): Request {
  const url = `http://merchant.test${path}`;
  if (method === 'GET' || (parts.length === 0 && ending === undefined))
    return new Request(url, { method, headers });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (ending === undefined) controller.close();
      if (ending === 'hangs up') controller.error(new TypeError('terminated'));
    },
  });
  const length = isChunked ? {} : { 'content-length': String(declaredLength ?? Buffer.concat(parts).length) };
  return new Request(url, { method, headers: { ...headers, ...length }, body, duplex: 'half' });
}
