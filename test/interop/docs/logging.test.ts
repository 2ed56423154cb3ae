import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ClientOptions, isPaymentPlatformError, ValidationError } from 'payment-platform';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { clientOn, credentials, onBothEngines } from '../../support/engines.js';
import { openCard } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();
const page = readFileSync(fileURLToPath(new URL('../../../docs/logging.md', import.meta.url)), 'utf8');

/** Creates the logger from the page, and collects the lines that the logger prints. */
function logger() {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const hooks: ClientOptions['hooks'] = {
    onRequest: (event) => log.info(event, 'asked'),
    onResponse: (event) => log.info(event, 'responded'),
    onRetry: (event) => log.warn(event, 'sent again'),
  };
  return { lines, log, hooks };
}

onBothEngines((engine) => {
  test('the documented log lines contain no secret and no CPF (rows 50 and 65)', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const responseBody = { message: `no: ${credentials.clientSecret}`, received: openCard };
    const server = opens(
      await rawServer(({ socket, index }) =>
        socket.write(formatResponse(JSON.stringify(responseBody), { status: index === 0 ? 503 : 400 })),
      ),
    );
    const { lines, log, hooks } = logger();
    const platform = opens(clientOn(engine, server.url, { hooks }));
    try {
      await platform.payments.create(openCard);
    } catch (error) {
      if (!isPaymentPlatformError(error)) throw error;
      log.error({ error: error.toJSON() }, error.message);
      log.error(error);
      log.error({ err: error });
    }
    expect(lines).toHaveLength(8);
    const { card, customer } = openCard;
    const canaries = [credentials.clientSecret, card.number, card.cvv, customer.document.number];
    // The test compares whole words, because three digits can also occur by chance in times and ids.
    const words = new Set(lines.join('').split(/[^\w@.-]/));
    for (const canary of [...canaries, customer.email, customer.name, card.holderName])
      expect(words.has(canary) || (canary.length > 6 && lines.join('').includes(canary)), canary).toBe(false);
    expect(lines.join('')).toContain('"operation":"payments.create"');
  });
});

test('the logging page names every property of error.toJSON()', () => {
  const names = Object.keys(new ValidationError('x', []).toJSON());
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
