import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis as Upstash } from '@upstash/redis';
import { redisLibraries } from '../../support/redis.js';

/** Encodes strings in base64, because the client requests base64 for every string. */
const encoded = (value: unknown): unknown =>
  typeof value === 'string'
    ? Buffer.from(value).toString('base64')
    : Array.isArray(value)
      ? value.map(encoded)
      : value;

/** Creates an Upstash client over its HTTP protocol, in front of a real Redis. */
export async function upstashClient() {
  const redis = await redisLibraries.ioredis();
  const run = async (command: [string, ...string[]]) => {
    try {
      const result = await redis.send(...(command.map(String) as [string, ...string[]]));
      return { result: result === 'OK' ? result : encoded(result) };
    } catch (error) {
      return { error: (error as Error).message };
    }
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const reply = request.url === '/pipeline' ? await Promise.all(body.map(run)) : await run(body);
    response.setHeader('content-type', 'application/json');
    response.statusCode = 'error' in reply ? 400 : 200;
    response.end(JSON.stringify(reply));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const client = new Upstash({
    url: `http://127.0.0.1:${port}`,
    token: 'token',
    enableTelemetry: false,
    retry: false,
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
    redis.close();
  };
  return { client, send: redis.send, close };
}
