import pc from 'picocolors';
import type { SandboxClock } from '../../sandbox/index.js';
import { version } from '../../version.js';
import { say } from '../output.js';
import { oneLine } from '../printable.js';
import type { ConnectedWebhook } from './connect-webhook.js';

/** What a person has to know of a sandbox that was started. */
interface Started {
  readonly url: string;
  readonly page: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: SandboxClock;
  readonly state: string | undefined;
  readonly webhooks: readonly ConnectedWebhook[];
  /** Numbers by what they lead to. */
  readonly testCards: Readonly<Record<string, string>>;
}

const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const grouped = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');

/** Tells a person how to use the sandbox. */
export function welcome({
  url,
  page,
  clientId,
  clientSecret,
  clock,
  state,
  webhooks,
  testCards,
}: Started): void {
  const line = (name: string, value: string) => say(`  ${pc.dim(name.padEnd(14))} ${value}`);
  say();
  say(`  ${pc.bold('payment-platform sandbox')} ${pc.dim(version)}`);
  say();
  line('Base URL', pc.cyan(url));
  line('Page', pc.cyan(page));
  line('Client id', oneLine(clientId));
  line('Client secret', oneLine(clientSecret));
  line('Clock', clock.frozen ? `frozen at ${clock.now().toISOString()}` : "follows this machine's");
  if (state !== undefined) line('State', oneLine(state));
  for (const { url: target, secret, isNewSecret } of webhooks) {
    line('Webhook', oneLine(target));
    if (isNewSecret) line('  its secret', secret ?? '');
  }
  say();
  say(`  ${pc.dim('Test cards')}`);
  for (const [name, number] of Object.entries(testCards))
    say(`    ${grouped(number)}  ${pc.dim(inWords(name))}`);
  say();
  say(`  ${pc.dim('Paste this')}`);
  for (const code of [
    "import { PaymentPlatform } from 'payment-platform';",
    '',
    'const platform = new PaymentPlatform({',
    `  baseUrl: '${url}',`,
    `  clientId: '${oneLine(clientId)}',`,
    `  clientSecret: '${oneLine(clientSecret)}',`,
    '});',
  ])
    say(`    ${code}`.trimEnd());
  say();
  say(`  ${pc.dim('Ctrl-C ends it. `payment-platform --help` lists what else there is.')}`);
  say();
}
