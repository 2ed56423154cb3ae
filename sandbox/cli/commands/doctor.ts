import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { PaymentPlatform } from '../../../src/index.js';
import { type Diagnosis, type DoctorCheck, diagnose } from '../../testing/index.js';
import { readClientOptions } from '../client-options.js';
import { exitCodes, Failure, reportAsMistake } from '../failure.js';
import { httpUrl } from '../http-url.js';
import { port } from '../numbers.js';
import { printJson, printLine, printTable, resultMarks } from '../output.js';
import { oneLine } from '../printable.js';
import { readSecretVariable, secretVariable } from '../secret.js';
import { timeoutOption } from '../time-limit.js';

interface DoctorOptions {
  readonly baseUrl?: string;
  readonly charge?: boolean;
  readonly afterDeploy?: boolean;
  readonly iKnowThisIsStaging?: boolean;
  readonly webhookUrl?: string;
  readonly webhookPort?: number;
  readonly config?: string;
  readonly json?: boolean;
  readonly timeout: number;
}

const help = `
The command reads the credentials from PAYMENT_PLATFORM_CLIENT_ID and PAYMENT_PLATFORM_CLIENT_SECRET,
and the secret of an existing endpoint from ${secretVariable}.
--config reads the client's options baseUrl, clientId, clientSecret, auth, oauth, fieldNames, checks and insecureHosts.
Exit codes: 0 no check failed, ${exitCodes.rejected} a check failed, ${exitCodes.usage} wrong arguments or interrupted.`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'check the path to the platform before you go live: network, credentials, and one charge per key',
    )
    .addOption(new Option('--base-url <url>', "the platform's base address").env('PAYMENT_PLATFORM_BASE_URL'))
    .option('--charge', 'create payments of the minimum amount; use this only on staging')
    .option('--after-deploy', 'run only the checks for a pipeline, within nine seconds')
    .option('--i-know-this-is-staging', 'allow --charge on an address beyond this machine')
    .option('--webhook-url <url>', 'check the deliveries to this URL')
    .option('--webhook-port <number>', 'the port on this machine that --webhook-url leads to', port)
    .option(
      '--config <file>',
      'a JSON file with options; by default payment-platform.config.json, if it exists',
    )
    .option('--json', 'print the diagnosis as JSON, on one line')
    .addOption(timeoutOption('30s'))
    .addHelpText('after', help)
    .action(examine);
}

async function examine(options: DoctorOptions): Promise<void> {
  const { charge, afterDeploy, iKnowThisIsStaging: isStaging, webhookUrl, webhookPort } = options;
  const { json = false, timeout } = options;
  if (options.baseUrl !== undefined) httpUrl('--base-url', options.baseUrl);
  const client = await readClientOptions(options);
  const platform = reportAsMistake(() => new PaymentPlatform(client));
  const interruption = new AbortController();
  // A second Ctrl-C ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  const diagnosis = await diagnose(platform, {
    client,
    charge,
    afterDeploy,
    isStaging,
    webhookUrl,
    webhookPort,
    webhookSecret: readSecretVariable(),
    timeout,
    signal: interruption.signal,
    ...(!json && { onCheck: print }),
  }).catch((error: Error) => {
    throw new Failure(inOptionNames(error.message));
  });
  platform.close();
  if (json) printJson(diagnosis);
  else printFindings(diagnosis);
  if (!diagnosis.ok) process.exitCode = exitCodes.rejected;
  if (interruption.signal.aborted)
    throw new Failure('The diagnosis was interrupted. Payments stay, and on a platform an endpoint as well.');
}

const inOptionNames = (message: string) =>
  message
    .replace(/^diagnose: /, '')
    .replaceAll('charge is not', '--charge is not')
    .replaceAll('charge cannot', '--charge cannot')
    .replaceAll('with afterDeploy', 'with --after-deploy')
    .replaceAll('pass isStaging: true', 'add --i-know-this-is-staging')
    .replaceAll('webhookUrl', '--webhook-url');

function print({ name, status, message, remedy }: DoctorCheck): void {
  printLine(`${resultMarks[status]} ${name.padEnd(20)} ${oneLine(message)}`);
  if (remedy !== undefined) printLine(`${' '.repeat(31)}${pc.dim(`→ ${oneLine(remedy)}`)}`);
}

function printFindings({ checks, drift, suggestion }: Diagnosis): void {
  const count = (status: DoctorCheck['status']) => checks.filter((check) => check.status === status).length;
  if (drift.length > 0) {
    printLine();
    printTable(
      ['operation', 'field', 'difference'],
      drift.map(({ operation, field, problem }) => [operation, field, problem]),
    );
  }
  const { fieldNames, statuses } = suggestion;
  if (fieldNames !== undefined || statuses !== undefined) printLine('\nTo paste:');
  if (fieldNames !== undefined)
    printLine(`  fieldNames: ${JSON.stringify(fieldNames)}, // client and sandbox`);
  if (statuses !== undefined) printLine(`  statuses: ${JSON.stringify(statuses)}, // sandbox`);
  printLine(
    `\n${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed, ${count('skipped')} skipped`,
  );
}
