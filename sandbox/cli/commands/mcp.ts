import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { ControlClient, defaultPort } from '../control-client.js';
import { exitCodes, Failure } from '../failure.js';
import { isLoopbackUrl } from '../http-url.js';
import { port } from '../numbers.js';
import { secretVariable } from '../secret.js';
import { writeError } from '../write.js';

interface McpOptions {
  readonly url?: string;
  readonly port: number;
}

/** In milliseconds. */
const timeout = 60_000;

/** They are public, and open nothing else. */
const credentials = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret-for-local-tests' };

/** The server's own sandbox returns a Pix code in this field, which the example shop reads. */
const pixCode = 'pix.qrCode';

const help = `
A coding agent starts this server: {"command": "npx", "args": ["payment-platform", "mcp"]}.
It searches the docs, controls a sandbox, and checks your shop. It moves no real money, and
connects only to this machine. \`run_doctor\` alone contacts the platform of your environment,
without a payment. It uses the sandbox at --url, otherwise a running one at --port, and
otherwise starts one there.`;

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('serve the docs and a sandbox to a coding agent, over the Model Context Protocol')
    .addOption(new Option('--url <url>', 'the address of a running sandbox on this machine'))
    .option(
      '--port <number>',
      'the port of the sandbox on this machine; 0 starts one on a free port',
      port,
      defaultPort,
    )
    .addHelpText('after', help)
    .action(start);
}

async function start({ url, port: at }: McpOptions): Promise<void> {
  if (url !== undefined && !isLoopbackUrl(new ControlClient(url, timeout).url))
    throw new Failure('--url must be a sandbox on this machine, such as http://127.0.0.1:4010.');
  const running = await findSandbox(url, at);
  const own = running === undefined ? await startSandbox(at) : undefined;
  const client = running?.client ?? new ControlClient(own?.url, timeout);
  // Another server of this command can have started the running one.
  const isKnown = running === undefined || running.clientId === credentials.clientId;
  try {
    const { serve } = await import('../mcp/mcp-server.js');
    await serve(findPackage(dirname(fileURLToPath(import.meta.url))), {
      client,
      described: describe(client.url, own === undefined, isKnown),
    });
  } finally {
    await own?.close();
  }
}

function findPackage(folder: string): string {
  if (existsSync(join(folder, 'docs', 'first-pix.md'))) return folder;
  if (dirname(folder) !== folder) return findPackage(dirname(folder));
  throw new Failure('The pages of payment-platform are missing. Install the package again.');
}

/** Finds the sandbox at a URL, which must be there, or the one at a port. */
async function findSandbox(url: string | undefined, at: number) {
  if (url === undefined && at === 0) return undefined;
  const client = new ControlClient(url ?? `http://127.0.0.1:${at}`, timeout);
  try {
    const { merchants } = (await client.request('GET /info')) as {
      merchants?: readonly { clientId: string }[];
    };
    return { client, clientId: merchants?.[0]?.clientId };
  } catch (error) {
    if (url !== undefined) throw error;
    return undefined;
  }
}

async function startSandbox(at: number): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { createSandbox } = await import('../../index.js');
  const sandbox = createSandbox({ ...credentials, responses: { pixCode } });
  try {
    const { url } = await sandbox.listen({ port: at });
    writeError(`A sandbox listens on ${url}\n`);
    return { url, close: () => sandbox.close() };
  } catch (error) {
    await sandbox.close();
    const { code, message } = error as NodeJS.ErrnoException;
    const isUsed = code === 'EADDRINUSE';
    const why = isUsed ? `Another program, or a sandbox of another version, uses port ${at}` : message;
    throw new Failure(`${why}. Choose another one with --port.`, exitCodes.unreachable);
  }
}

function describe(url: string, isRunning: boolean, isKnown: boolean): string {
  const lines = [`PAYMENT_PLATFORM_BASE_URL=${url}`];
  if (isKnown)
    lines.push(
      `PAYMENT_PLATFORM_CLIENT_ID=${credentials.clientId}`,
      `PAYMENT_PLATFORM_CLIENT_SECRET=${credentials.clientSecret}`,
    );
  const source = isRunning
    ? `This sandbox was running before, and others may use it.${isKnown ? '' : ' It printed its client id and client secret when it started.'}`
    : 'The sandbox runs as long as this server. Its credentials are public, and open only a sandbox.';
  return `${lines.join('\n')}\n\n${source}\nIts page is ${url}/_sandbox/. ${secretOf(process.env[secretVariable])}, and pass it with the shop's webhook URL to endpoints_register: until then, the shop gets no webhooks.
The API docs do not name the field of a Pix code. ${pixCodeOf(isRunning)} Read it in one place, where you can write your platform's name.`;
}

const secretOf = (secret: string | undefined) =>
  secret
    ? `This server has a ${secretVariable}. Set the same one for the shop`
    : `Choose a webhook secret of 16 to 256 characters, set it as ${secretVariable} for the shop and this server`;

const pixCodeOf = (isRunning: boolean) =>
  isRunning
    ? `A sandbox returns one only if its configuration names the field: {"responses": {"pixCode": "${pixCode}"}}.`
    : `This sandbox returns it as ${pixCode}.`;
