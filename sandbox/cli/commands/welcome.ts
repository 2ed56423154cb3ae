import pc from 'picocolors';
import { version } from '../../../src/version.js';
import type { SandboxClock } from '../../index.js';
import { printLine } from '../output.js';
import { oneLine } from '../printable.js';
import type { ConnectedWebhook } from './connect-webhook.js';

interface StartedServer {
  readonly url: string;
  readonly page: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: SandboxClock;
  /** The seed; undefined if the ids differ in every run. */
  readonly seed: number | undefined;
  readonly config: string | undefined;
  readonly state: string | undefined;
  /** Whether responses contain the code of a Pix. */
  readonly hasPixCode: boolean;
  readonly webhooks: readonly ConnectedWebhook[];
}

const quoted = (text: string) =>
  /^[\w:/.-]+$/.test(text) ? text : `'${oneLine(text).replaceAll("'", String.raw`'\''`)}'`;

export function welcome({
  url,
  page,
  clientId,
  clientSecret,
  clock,
  seed,
  config,
  state,
  hasPixCode,
  webhooks,
}: StartedServer): void {
  const line = (name: string, value: string) => printLine(`  ${pc.dim(name.padEnd(7))} ${value}`);
  printLine();
  printLine(`  ${pc.bold('payment-platform sandbox')} ${pc.dim(version)}`);
  line('Page', pc.cyan(page));
  line(
    'Ids',
    seed === undefined
      ? 'new ones in every run; --seed 1 repeats them'
      : `those of seed ${seed}, in every run`,
  );
  line('Clock', clock.frozen ? `frozen at ${clock.now().toISOString()}` : "follows this machine's");
  if (config !== undefined) line('Config', oneLine(config));
  if (state !== undefined) line('State', oneLine(state));
  if (!hasPixCode) line('Pix', 'no code in responses; "responses" in the configuration names its field');
  for (const { url: target } of webhooks) line('Webhook', oneLine(target));
  printLine();
  const secret = webhooks.find(({ isNewSecret }) => isNewSecret)?.secret;
  const variables = {
    BASE_URL: url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    ...(secret !== undefined && { WEBHOOK_SECRET: secret }),
  };
  for (const [name, value] of Object.entries(variables))
    printLine(`  export PAYMENT_PLATFORM_${name}=${quoted(value)}`);
  printLine();
  printLine(
    `  curl ${url}/v1/payments -H ${quoted(`client-id: ${clientId}`)} -H ${quoted(`client-secret: ${clientSecret}`)} \\`,
  );
  printLine(`    -H 'content-type: application/json' -H 'x-idempotency-key: ${order.externalId}' \\`);
  printLine(`    -d '${JSON.stringify(order)}'`);
  printLine();
  printLine(
    `  ${pc.dim('Cards, names and domains for every outcome: payment-platform cards. Ctrl-C ends the sandbox.')}`,
  );
  printLine();
}

const order = {
  externalId: 'order-1042',
  amount: 1990,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza', email: 'ana@example.com', document: { number: '12345678909', type: 'cpf' } },
  items: [{ title: 'Livro', quantity: 1, unitPrice: 1990 }],
};
