import { Command } from 'commander';
import { version } from '../../src/version.js';
import { addCardsCommand } from './commands/cards.js';
import { addCheckIntegrationCommand } from './commands/check-integration.js';
import { addControlCommands } from './commands/control.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addDurableCommand } from './commands/durable.js';
import { addFaultCommands } from './commands/faults.js';
import { addListCommands } from './commands/lists.js';
import { addMcpCommand } from './commands/mcp.js';
import { addPaymentCommands } from './commands/payments.js';
import { addSandboxCommand } from './commands/sandbox.js';
import { addWebhookCommands } from './commands/webhooks.js';
import { addExamples } from './examples.js';
import { exitCodes } from './failure.js';
import { escapeHarmful } from './printable.js';
import { write, writeError } from './write.js';

const help = `
Exit codes:
  0  success
  ${exitCodes.rejected}  rejected or not written
  ${exitCodes.usage}  wrong arguments
  ${exitCodes.unreachable}  no sandbox, receiver or database found
  ${exitCodes.notFound}  unknown id or key
  ${exitCodes.illegal}  not possible in the current status or state

If a reader stops early (\`… | head -1\`), the command does not fail, and the
sandbox continues to run. All commands except \`sandbox\`, \`cards\`, \`doctor\`,
\`durable\`, \`mcp\`, \`webhooks send\` and \`verify\` control a running sandbox: the
one at --url, otherwise at PAYMENT_PLATFORM_BASE_URL, otherwise at
http://127.0.0.1:4010.`;

export function createProgram(): Command {
  const program = new Command('payment-platform')
    .description('Run a sandbox of the payment platform, test webhooks, and repair durable payments.')
    .version(version)
    .showHelpAfterError('(--help lists the commands and options.)')
    .addHelpText('after', help)
    // Without `[options]`, which nearly every command has, the descriptions fit on a narrow terminal.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: write,
      // Commander's error message repeats the invalid argument, which can contain control characters.
      writeErr: (text) => writeError(escapeHarmful(text)),
    })
    .exitOverride();
  addSandboxCommand(program);
  addCardsCommand(program);
  addPaymentCommands(program);
  addControlCommands(program);
  addListCommands(program);
  addFaultCommands(program);
  addWebhookCommands(program);
  addDoctorCommand(program);
  addCheckIntegrationCommand(program);
  addDurableCommand(program);
  addMcpCommand(program);
  addExamples(program);
  return program;
}
