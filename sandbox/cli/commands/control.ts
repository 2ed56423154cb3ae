import type { Command } from 'commander';
import pc from 'picocolors';
import { paymentTransitionNames, paymentTransitions, type Transition } from '../../defaults/transitions.js';
import type { ControlResponse } from '../control-client.js';
import { money, printJson, printLine } from '../output.js';
import { oneLine } from '../printable.js';
import { createClient, type RemoteOptions, remote, segment } from './remote.js';

interface ControlCommand {
  readonly usage: string;
  readonly summary: string;
  readonly path: (id: string) => string;
  readonly describe: (response: ControlResponse) => string;
}

const payment = ({ id, status, amount, paymentMethod }: ControlResponse) =>
  `${status} ${paymentMethod} payment ${id}, ${money(amount)}`;

const transition = (name: Transition): ControlCommand => ({
  usage: `${name} <id>`,
  summary: `${paymentTransitions[name].summary.replace(/^./, (first) => first.toLowerCase())} (${paymentTransitions[name].to})`,
  path: (id) => `/payments/${segment(id)}/${name}`,
  describe: payment,
});

const commands: readonly ControlCommand[] = [
  ...paymentTransitionNames.map(transition),
  {
    usage: 'approve-onboarding <registrationId>',
    summary: 'approve a registration, and activate its sub-account',
    path: (id) => `/onboarding/${segment(id)}/approve`,
    describe: ({ registration_id, status, internalId }) =>
      `${status} registration ${registration_id}, sub-account ${internalId}`,
  },
  {
    usage: 'resend <deliveryId>',
    summary: 'resend a webhook delivery, with a new signature',
    path: (id) => `/deliveries/${segment(id)}/resend`,
    describe: () => 'sent again',
  },
];

export function addControlCommands(program: Command): void {
  for (const { usage, summary, path, describe } of commands) {
    remote(program.command(usage).description(summary)).action(async (id: string, options: RemoteOptions) => {
      const request = `POST ${path(id)}`;
      const client = createClient(options);
      printResult(options, await client.request(request), describe);
    });
  }

  remote(
    program
      .command('reject-onboarding <registrationId>')
      .description('reject a registration')
      .option('--can-resubmit', 'allow the seller to send the documents again')
      .option(
        '--reason <text>',
        'a reason that the page and `onboarding` show; the API docs show no field for it',
      ),
  ).action(async (id: string, options: RemoteOptions & { canResubmit?: boolean; reason?: string }) => {
    const { canResubmit, reason } = options;
    const body = {
      ...(canResubmit !== undefined && { canResubmit }),
      ...(reason !== undefined && { reason }),
    };
    const request = `POST /onboarding/${segment(id)}/reject`;
    const response = await createClient(options).request(request, body);
    printResult(
      options,
      response,
      ({ registration_id, status }) => `${status} registration ${registration_id}`,
    );
  });

  remote(
    program
      .command('verify-domain <domainId>')
      .description("fetch the domain's verification file, as the wallet does")
      .option('--from <origin>', 'the origin that serves the file, if the domain does not point there yet'),
    '2m',
  ).action(async (id: string, options: RemoteOptions & { from?: string }) => {
    const body = options.from === undefined ? {} : { from: options.from };
    const request = `POST /domains/${segment(id)}/verify`;
    const response = await createClient(options).request(request, body);
    printResult(
      options,
      response,
      ({ domainName, status, lastVerificationError: error }) =>
        `${status} ${domainName}${error === undefined ? '' : `: ${error}`}`,
    );
  });

  remote(
    program
      .command('resolve <idempotencyKey> <resolution>')
      .description('resolve an unknown outcome as created or not-created')
      .option('--client-id <id>', 'the client id of the merchant, if several have the key'),
  ).action(
    async (idempotencyKey: string, resolution: string, options: RemoteOptions & { clientId?: string }) => {
      const body = { idempotencyKey, resolution, clientId: options.clientId };
      printResult(
        options,
        await createClient(options).request('POST /payments/resolve', body),
        () => `resolved as ${resolution}`,
      );
    },
  );

  remote(
    program
      .command('advance <duration>')
      .description("move the sandbox's clock forward: 500ms, 30s, 15m, 1h, 2d"),
    '2m',
  ).action(async (duration: string, options: RemoteOptions) => {
    const response = await createClient(options).request('POST /clock/advance', { duration });
    printResult(options, response, ({ now }) => `it is ${now}`);
  });

  remote(
    program
      .command('reset')
      .description(
        'delete all data except the merchants, their credentials, and the endpoints and faults of the configuration',
      ),
  ).action(async (options: RemoteOptions) => {
    printResult(options, await createClient(options).request('POST /reset'), () => 'the data is deleted');
  });
}

export function printResult(
  options: RemoteOptions,
  response: ControlResponse,
  describe: (response: ControlResponse) => string,
): void {
  if (options.json === true) printJson(response);
  else printLine(`${pc.green('✓')} ${oneLine(describe(response))}`);
}
