import type { Parts } from './assemble.js';

export function summarize(
  { merchants, journal, ledger, deliveries, clock, closing }: Parts,
  servers: Iterable<{ readonly url: string }>,
): string {
  const urls = Array.from(servers, ({ url }) => `'${url}'`);
  const facts = {
    clock: clock.timestamp(),
    merchants: merchants.list().length,
    requests: journal.size,
    charges: ledger.size,
    deliveries: deliveries.notifications.reduce((sum, { attempts }) => sum + attempts.length, 0),
    servers: `[${urls.join(', ')}]`,
  };
  const shown = Object.entries(facts).map(([name, fact]) => `${name}: ${fact}`);
  return `Sandbox { ${[...shown, ...(closing.signal.aborted ? ['closed'] : [])].join(', ')} }`;
}
