import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pc from 'picocolors';
import type { ControlClient } from '../control-client.js';
import { exitCodes, Failure } from '../failure.js';
import { httpUrl, isLoopbackUrl, shownUrl } from '../http-url.js';
import { say, sayJson } from '../output.js';
import { oneLine } from '../printable.js';
import { givenSecret } from '../secret.js';
import { outputEnded } from '../write.js';
import { clientOf, type RemoteOptions, segment } from './remote.js';

interface ListenOptions extends RemoteOptions {
  readonly forward?: string;
  readonly port: number;
}

/** Bytes. */
const longestBody = 1_000_000;

/** The path by which endpoints of earlier runs are found. */
const path = '/payment-platform-webhooks-listen';

/** Registers itself with the sandbox, and prints each delivery, until Ctrl-C. */
export async function listen(options: ListenOptions): Promise<void> {
  const { forward, port, json = false } = options;
  if (forward !== undefined) httpUrl('--forward', forward);
  const client = clientOf(options);
  const { verify } = await import('../../webhooks/index.js');
  const given = givenSecret();
  const secret = given ?? `sandbox-webhook-secret-${randomBytes(16).toString('hex')}`;
  await removeEarlier(client);
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(() => {
    throw new Failure(
      `This command cannot listen at port ${port}: choose another with --port, or a free one with --port 0.`,
      exitCodes.refused,
    );
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  if (forward !== undefined && new URL(forward).port === new URL(url).port && isLoopbackUrl(forward)) {
    server.close();
    throw new Failure(`--forward ${shownUrl(forward)} is this command itself.`, exitCodes.usage);
  }
  const id = String((await client.ask('POST /endpoints', { one: 'Endpoint' }, { url, secret })).id);
  if (json) sayJson({ url, endpointId: id, ...(given === undefined && { secret }) });
  else {
    say(`${pc.green('✓')} listening for the webhooks of ${client.url}`);
    if (given === undefined) say(`  secret ${secret}`);
    if (forward !== undefined) say(`  forwarded to ${shownUrl(forward)}`);
    say(pc.dim('  Ctrl-C ends it.'));
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (request.method !== 'POST' || request.url !== path || body === undefined) {
      response.writeHead(body === undefined ? 413 : 404).end();
      return;
    }
    const now = await client.time();
    const verdict = outcomeOf(() => verify({ body, headers: request.headers }, { secret, now }).event);
    const status =
      forward === undefined ? (verdict.valid ? 200 : 400) : await forwarded(forward, request, body);
    response.writeHead(status).end();
    const { valid, event, problem } = verdict;
    if (json) return sayJson({ valid, event, problem, status, body: body.toString() });
    const mark = valid && status < 300 ? pc.green('✓') : pc.red('✗');
    say(`${mark} ${status} ${oneLine(event ?? problem ?? '')}`);
    say(pc.dim(`  ${oneLine(body.toString())}`));
  }

  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    if (outputEnded.aborted) resolve();
    outputEnded.addEventListener('abort', () => resolve());
  });
  server.close();
  server.closeAllConnections();
  await client.ask(`DELETE /endpoints/${segment(id)}`, 'nothing').catch(() => undefined);
}

/** An endpoint of a run that was killed would count for the limit of three. */
async function removeEarlier(client: ControlClient): Promise<void> {
  const { data } = await client.ask('GET /endpoints', { list: 'Endpoint' });
  for (const { id, endpoint } of data) {
    if (String(endpoint).endsWith(path)) {
      await client.ask(`DELETE /endpoints/${segment(String(id))}`, 'nothing');
    }
  }
}

function outcomeOf(check: () => string): { valid: boolean; event?: string; problem?: string } {
  try {
    return { valid: true, event: check() };
  } catch (error) {
    return { valid: false, problem: (error as Error).message };
  }
}

/** The status that a receiver answered; 502 if it did not. */
async function forwarded(target: string, request: IncomingMessage, body: Buffer): Promise<number> {
  const headers = new Headers({ 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' });
  for (const name of ['x-service-timestamp', 'x-service-signature']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  try {
    const answer = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    await answer.body?.cancel();
    return answer.status === 0 ? 502 : answer.status;
  } catch {
    return 502;
  }
}

/** Undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > longestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
