import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import pc from 'picocolors';
import type { ControlClient } from '../control-client.js';
import { onNpxGone } from '../end-with-parent.js';
import { exitCodes, Failure } from '../failure.js';
import { httpUrl, isLoopbackUrl, shownUrl } from '../http-url.js';
import { printJson, printLine } from '../output.js';
import { oneLine } from '../printable.js';
import { readSecretVariable } from '../secret.js';
import { outputEnded } from '../write.js';
import { createClient, type RemoteOptions, segment } from './remote.js';

interface ListenOptions extends RemoteOptions {
  readonly forward?: string;
  readonly skipVerify?: boolean;
  readonly port: number;
}

/** In milliseconds. */
const checkInterval = 2_000;

/** In bytes. */
const longestBody = 1_000_000;

/** Identifies endpoints of earlier runs. */
const path = '/payment-platform-webhooks-listen';

export async function listen(options: ListenOptions): Promise<void> {
  const { forward, skipVerify = false, port, json = false } = options;
  if (forward !== undefined) httpUrl('--forward', forward);
  const client = createClient(options);
  const { verify } = await import('../../../src/webhooks/index.js');
  const value = readSecretVariable();
  const secret = value ?? `sandbox-webhook-secret-${randomBytes(16).toString('hex')}`;
  await removeEarlier(client);
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(({ code, message }: NodeJS.ErrnoException) => {
    const why = code === 'EADDRINUSE' ? `Port ${port} is in use.` : `${message}.`;
    throw new Failure(`${why} Choose another with --port, or a free one with --port 0.`, exitCodes.rejected);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  if (forward !== undefined && new URL(forward).port === new URL(url).port && isLoopbackUrl(forward)) {
    server.close();
    throw new Failure(`--forward ${shownUrl(forward)} is this command itself.`);
  }
  const register = async () => String((await client.request('POST /endpoints', { url, secret })).id);
  let id = await register();
  if (json) printJson({ url, endpointId: id, ...(value === undefined && { secret }) });
  else {
    printLine(`${pc.green('✓')} listening for the webhooks of ${client.url}`);
    if (value === undefined) printLine(`  secret ${secret}`);
    if (forward !== undefined) printLine(`  forwarded to ${shownUrl(forward)}`);
    printLine(pc.dim('  Ctrl-C ends it.'));
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await collectBody(request);
    if (request.method !== 'POST' || request.url !== path || body === undefined) {
      response.writeHead(body === undefined ? 413 : 404).end();
      return;
    }
    const now = await client.time();
    const verdict = describeOutcome(() => verify({ body, headers: request.headers }, { secret, now }).event);
    const { status, problem: notForwarded } =
      forward === undefined
        ? { status: verdict.valid ? 200 : 400, problem: undefined }
        : await forwarded(forward, request, body, skipVerify);
    response.writeHead(status).end();
    const { valid, event, problem = notForwarded } = verdict;
    if (json) return printJson({ valid, event, problem, status, body: body.toString() });
    const mark = valid && status < 300 ? pc.green('✓') : pc.red('✗');
    printLine(`${mark} ${status} ${oneLine(event ?? problem ?? '')}`);
    if (event !== undefined && notForwarded !== undefined) printLine(`  ${oneLine(notForwarded)}`);
    printLine(pc.dim(`  ${oneLine(body.toString())}`));
  }

  let isAway = false;
  let isEnding = false;
  let checkTimer = setTimeout(registerAgain, checkInterval);
  /** Schedules its own next run, so that checks never overlap. */
  async function registerAgain(): Promise<void> {
    try {
      const data = await client.list('GET /endpoints');
      isAway = false;
      if (!data.some((endpoint) => endpoint.id === id)) {
        id = await register();
        if (json) printJson({ url, endpointId: id });
        else printLine(`${pc.green('✓')} the sandbox was restarted or reset: registered again`);
      }
    } catch {
      if (!isAway && !json)
        printLine(`${pc.red('✗')} ${client.url} does not respond. Start the sandbox again.`);
      isAway = true;
    }
    if (!isEnding) checkTimer = setTimeout(registerAgain, checkInterval);
  }

  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    onNpxGone(resolve);
    if (outputEnded.aborted) resolve();
    outputEnded.addEventListener('abort', () => resolve());
  });
  isEnding = true;
  clearTimeout(checkTimer);
  server.close();
  server.closeAllConnections();
  await client.request(`DELETE /endpoints/${segment(id)}`).catch(() => undefined);
}

/** Removes endpoints of killed runs, because they count towards the limit of three. */
async function removeEarlier(client: ControlClient): Promise<void> {
  const data = await client.list('GET /endpoints');
  for (const { id, endpoint } of data) {
    if (String(endpoint).endsWith(path)) {
      await client.request(`DELETE /endpoints/${segment(String(id))}`);
    }
  }
}

function describeOutcome(check: () => string): { valid: boolean; event?: string; problem?: string } {
  try {
    return { valid: true, event: check() };
  } catch (error) {
    return { valid: false, problem: (error as Error).message };
  }
}

interface Forwarded {
  /** 502 without a response. */
  readonly status: number;
  readonly problem?: string | undefined;
}

/** In milliseconds, as long as the platform waits (API docs, Events, Delivery). */
const forwardTimeout = 30_000;

/** @param skipVerify accepts any certificate */
function forwarded(
  target: string,
  { headers: received }: IncomingMessage,
  body: Buffer,
  skipVerify: boolean,
): Promise<Forwarded> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'Service-Webhook/1.0',
  };
  for (const name of ['x-service-timestamp', 'x-service-signature']) {
    const value = received[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const isSecure = target.toLowerCase().startsWith('https:');
  return new Promise((resolve) => {
    const sent = (isSecure ? httpsRequest : httpRequest)(
      target,
      {
        method: 'POST',
        headers,
        signal: AbortSignal.timeout(forwardTimeout),
        ...(isSecure && { rejectUnauthorized: !skipVerify }),
      },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 502 });
      },
    );
    sent.on('error', (error) => resolve({ status: 502, problem: whyNotForwarded(target, error) }));
    sent.end(body);
  });
}

const untrusted =
  /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET_ISSUER))|^ERR_TLS_CERT_ALTNAME_INVALID$/;

function whyNotForwarded(target: string, error: Error & { readonly code?: string }): string {
  const { code = error.name } = error;
  const url = shownUrl(target);
  if (code === 'ECONNREFUSED') return `Nothing listens at ${url} (ECONNREFUSED). Start your server.`;
  if (code === 'ENOTFOUND') return `${url} has an unknown host (ENOTFOUND). Correct --forward.`;
  if (untrusted.test(code))
    return `The certificate of ${url} is not trusted (${code}). For a local certificate, add --skip-verify.`;
  if (error.name === 'AbortError') return `${url} did not respond within ${forwardTimeout / 1000} seconds.`;
  return `${url} did not respond (${code}). Check your server.`;
}

async function collectBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > longestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
