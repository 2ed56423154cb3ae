import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Sandbox, SandboxOptions, SandboxServer } from '../../index.js';
import { notOfTheSandbox } from '../client-options.js';
import { configPath, readConfig } from '../config-file.js';
import { defaultPort } from '../control-client.js';
import { onNpxGone } from '../end-with-parent.js';
import { exitCodes, Failure, reportAsMistake } from '../failure.js';
import { httpUrl, isLoopbackUrl, shownUrl } from '../http-url.js';
import { integer, parseTime, port } from '../numbers.js';
import { printJson } from '../output.js';
import { escapeHarmful } from '../printable.js';
import { writeError } from '../write.js';
import { connectWebhook } from './connect-webhook.js';
import { printLive } from './live-lines.js';
import { openInBrowser } from './open-in-browser.js';
import { printConfig } from './print-config.js';
import { welcome } from './welcome.js';

interface Options {
  readonly config?: string;
  readonly printConfig?: boolean;
  readonly port: number;
  readonly host: string;
  readonly seed?: number;
  readonly now?: string;
  readonly webhook: readonly string[];
  readonly state?: string;
  readonly fresh?: boolean;
  readonly json?: boolean;
  readonly open?: boolean;
  readonly quiet?: boolean;
  readonly allowHttpWebhooks: readonly string[];
  readonly allowHost: readonly string[];
}

const collect = (value: string, earlier: readonly string[]) => [...earlier, value];

export function addSandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('start a sandbox of the payment platform on this machine; Ctrl-C stops it')
    .option('--port <number>', 'the port to listen on; 0 selects a free port', port, defaultPort)
    .option(
      '--host <address>',
      'the address to listen on; by default, only this machine can connect',
      '127.0.0.1',
    )
    .option(
      '--config <file>',
      'a JSON file with the options of createSandbox; by default payment-platform.config.json, if it exists',
    )
    .option('--print-config', 'print a configuration with options, their defaults and comments')
    .option('--seed <integer>', 'make ids, tokens and the client secret the same on every run', integer)
    .option('--now <time>', 'freeze the clock at this time; `payment-platform advance` moves it')
    .option('--webhook <url>', 'register a webhook endpoint; can be repeated', collect, [])
    .option('--state <file>', 'continue from the state in a file, and save every change to the file')
    .option('--fresh', 'discard the content of the --state file')
    .option(
      '--allow-host <name>',
      'an additional host name for this sandbox, such as a docker-compose service; can be repeated',
      collect,
      [],
    )
    .option(
      '--allow-http-webhooks <host>',
      'a host that can receive webhooks over plain HTTP; can be repeated',
      collect,
      [],
    )
    .option('--quiet', 'do not print a line for each request and delivery')
    .option(
      '--json',
      'print one line of JSON when the sandbox is ready, and one for each request and delivery',
    )
    .option('--open', 'open the page in the browser')
    .addHelpText(
      'after',
      `
SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET set the sandbox's credentials.
PAYMENT_PLATFORM_WEBHOOK_SECRET sets the secret of the --webhook endpoints.`,
    )
    .action(start);
}

async function start(options: Options): Promise<void> {
  if (options.printConfig === true) return printConfig();
  const { state, fresh, host } = options;
  const path = configPath(options.config);
  const found = path === undefined ? {} : await readConfig(path);
  const config: SandboxOptions = Object.fromEntries(
    Object.entries(found).filter(([name]) => !notOfTheSandbox.some((other) => other === name)),
  );
  if (fresh === true && (state ?? config.stateFile) === undefined) {
    throw new Failure('--fresh needs --state, the file that it forgets.');
  }
  const { now } = options;
  if (now !== undefined) parseTime('--now', now);
  const { httpWebhookHosts = [] } = config as { httpWebhookHosts?: readonly string[] };
  const allowed = [...options.allowHttpWebhooks, ...httpWebhookHosts];
  for (const url of options.webhook) rejectPlainHttp(httpUrl('--webhook', url), allowed);
  const { createSandbox } = await import('../../index.js');
  await rejectUsedPort(options);
  const ended = signalled();
  const sandbox = reportAsMistake(
    () => createSandbox({ ...config, ...sandboxOptions(options) }),
    (message) => (path === undefined ? message : message.replace(/^createSandbox/, path)),
  );
  try {
    const server = await listening(sandbox, options);
    if (!isLoopback(host)) {
      writeError(
        `Warning: with --host ${escapeHarmful(host)}, anyone who can reach this machine can use and control this sandbox.\n`,
      );
    }
    const webhooks = options.webhook.map((url) => connectWebhook(sandbox, url));
    // Waits until the registrations are saved, so that only saved ones are printed.
    await setImmediate();
    const { clientId, clientSecret } = server.clientOptions();
    const page = `${server.url}/_sandbox/`;
    const ready = { url: server.url, clientId, clientSecret, page };
    const webhookSecret = webhooks.find(({ isNewSecret }) => isNewSecret)?.secret;
    if (options.json === true) printJson({ ...ready, ...(webhookSecret !== undefined && { webhookSecret }) });
    else {
      welcome({
        hasPixCode: config.responses?.pixCode !== undefined,
        ...ready,
        clock: sandbox.clock,
        seed: options.seed ?? config.seed,
        config: path,
        state: state ?? config.stateFile,
        webhooks,
      });
    }
    if (options.quiet !== true) printLive(sandbox, options);
    if (options.open === true) openInBrowser(page);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  await ended;
  await sandbox.close();
}

/** As the sandbox does, but the message names the command's option. */
function rejectPlainHttp(url: string, allowed: readonly string[]): void {
  const { protocol, host, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopbackUrl(url) || allowed.includes(host) || allowed.includes(hostname))
    return;
  throw new Failure(
    `--webhook ${shownUrl(url)} must be an HTTPS URL: plain HTTP goes to this machine only (127.0.0.1, localhost), or to another with --allow-http-webhooks ${hostname}.`,
  );
}

/** Starting the sandbox twice by mistake must not touch the state. */
async function rejectUsedPort({ port, host }: Options): Promise<void> {
  if (!(port > 0 && port < 65_536)) return;
  const probe = createServer();
  probe.listen(port, host);
  const isFree = await once(probe, 'listening').then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'EADDRINUSE',
  );
  probe.close();
  if (!isFree) throw portInUse(port);
}

const portInUse = (port: number) =>
  new Failure(
    `Port ${port} is in use: choose another with --port, or a free one with --port 0.`,
    exitCodes.rejected,
  );

function sandboxOptions({ seed, now, state, fresh, allowHttpWebhooks }: Options) {
  const { SANDBOX_CLIENT_ID: clientId, SANDBOX_CLIENT_SECRET: clientSecret } = process.env;
  const hosts = allowHttpWebhooks.length === 0 ? undefined : allowHttpWebhooks;
  const input = { seed, now, clientId, clientSecret, stateFile: state, fresh, httpWebhookHosts: hosts };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

async function listening(sandbox: Sandbox, { port, host, allowHost }: Options): Promise<SandboxServer> {
  try {
    return await sandbox.listen({ port, host, allowedHosts: allowHost, keepAlive: true });
  } catch (error) {
    if (error instanceof TypeError) throw new Failure(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw portInUse(port);
    throw new Failure(unreachable[code ?? '']?.(host, port) ?? message, exitCodes.rejected);
  }
}

const noSuchAddress = (host: string) =>
  `--host ${host} is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses.`;

const unreachable: Readonly<Record<string, (host: string, port: number) => string>> = {
  ENOTFOUND: noSuchAddress,
  EADDRNOTAVAIL: noSuchAddress,
  EAI_AGAIN: noSuchAddress,
  EACCES: (_, port) => `This user cannot listen on port ${port}: choose one above 1023 with --port.`,
};

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

const signalled = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    onNpxGone(resolve);
  });
