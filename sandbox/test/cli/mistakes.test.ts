import { describe, expect, test, vi } from 'vitest';
import { secretVariable } from '../../cli/secret.js';
import { controlled } from '../control-api/support.js';
import { startOfYear } from '../support.js';
import { ran } from './support.js';

const sandbox = (...args: string[]) => ['sandbox', '--port', '0', ...args];

/** Returns the message of a command that fails before it takes effect. */
async function readMistake(args: readonly string[]): Promise<string> {
  const { error, stdout } = await ran(args);
  expect(stdout).toBe('');
  return (error as Error).message;
}

describe('the command', () => {
  test.each<[string[], string]>([
    [
      sandbox('--webhook', 'localhost:3000'),
      "--webhook must be an http or https URL, not 'localhost:3000'. It has no scheme: write --webhook http://localhost:3000",
    ],
    [sandbox('--webhook', 'shop.example/hook'), 'write --webhook https://shop.example/hook'],
    [sandbox('--webhook', 'ftp://shop.example'), "must be an http or https URL, not 'ftp://shop.example'."],
    [sandbox('--webhook', ''), "must be an http or https URL, not ''."],
    [sandbox('--webhook', 'http://shop.example/h'), 'with --allow-http-webhooks shop.example.'],
    [
      sandbox('--now', 'ontem'),
      "--now must be a time in ISO 8601, such as --now 2026-01-31T12:00:00Z, not 'ontem'.",
    ],
    [sandbox('--now', '01/02/2026'), "not '01/02/2026'"],
    [sandbox('--state', '/no/such/folder/x'), 'its folder does not exist. Create the folder first.'],
    [['sandbox', '--port', '70000'], 'an integer from 0 to 65535'],
    [
      sandbox('--host', 'none.invalid'),
      '--host none.invalid is not an address of this machine. Use 127.0.0.1',
    ],
    [['pay', 'x', '--url', 'localhost:4010'], 'It has no scheme: write http://localhost:4010'],
    [['webhooks', 'listen', '--forward', 'localhost:3000'], 'write --forward http://localhost:3000'],
    [['webhooks', 'listen', '--port', 'abc'], 'It must be an integer.'],
    [
      ['webhooks', 'send', 'transaction.paid', '--to', '127.0.0.1:3000/h'],
      'write --to http://127.0.0.1:3000/h',
    ],
    [
      ['webhooks', 'verify', '--body', '/no/file', '--headers', '/no/file'],
      '--body /no/file cannot be read: there is no such file.',
    ],
  ])('names a mistake in its arguments and the remedy: %j', async (args, message) => {
    expect(await readMistake(args)).toContain(message);
  });

  test('rejects a webhook secret from the environment that is too short', async () => {
    vi.stubEnv(secretVariable, 'short');
    const message = `${secretVariable} must have 16 to 256 characters, got 5.`;
    expect(await readMistake(['webhooks', 'send', 'transaction.paid', '--to', 'http://127.0.0.1:1'])).toBe(
      message,
    );
    expect(await readMistake(sandbox('--webhook', 'https://shop.example/hook'))).toBe(message);
  });

  test('reports an invalid address, but not the password or token in it', async () => {
    vi.stubEnv(secretVariable, 'a-secret-of-16-characters');
    const send = (to: string) => readMistake(['webhooks', 'send', 'transaction.paid', '--to', to]);
    expect(await send('http://u:hunter2@127.0.0.1:9/x')).toBe('--to must have no user and password.');
    for (const to of ['http://u:hunter2@', 'http://127.0.0.1:1/x?token=hunter2'])
      expect(await send(to)).not.toContain('hunter2');
    expect(await readMistake(sandbox('--webhook', 'http://shop.example/h?k=hunter2'))).not.toContain(
      'hunter2',
    );
  });

  test('lists the valid events for an unknown event, and shows the valid format for a wrong time', async () => {
    vi.stubEnv(secretVariable, 'a secret of sixteen characters');
    expect(
      await readMistake(['webhooks', 'send', 'transaction.payed', '--to', 'http://127.0.0.1:1']),
    ).toContain("'transaction.payed' is not an event: it must be one of transaction.waiting_payment");
    const file = new URL(import.meta.url).pathname;
    expect(
      await readMistake(['webhooks', 'verify', '--body', file, '--headers', file, '--now', 'ontem']),
    ).toContain("--now must be a time in ISO 8601, such as --now 2026-01-31T12:00:00Z, not 'ontem'.");
  });

  test('reports an argument that the sandbox rejects, with its value', async () => {
    const { server } = await controlled({ now: startOfYear });
    const runRejected = (...args: string[]) => readMistake([...args, '--url', server.url]);
    expect(await runRejected('advance', '15')).toContain("'1h' or '2d', not '15'");
    expect(await runRejected('resolve', 'key', 'maybe')).toContain(
      "must be 'created' or 'not-created', not 'maybe'",
    );
    expect(await runRejected('payments', '--limit', '0')).toContain('an integer from 1 to 1000, not 0');
    expect(await runRejected('payments', 'list', '--status', 'foo')).toMatch(
      /status must be 'waiting_payment', .*'paid', .* or 'expired', not 'foo'/,
    );
    expect(await runRejected('faults', 'add', 'reset', '--phase', 'foo')).toMatch(
      /phase must be 'before-read'/,
    );
    expect(await runRejected('faults', 'add', 'drop', '--delivery', '--event', 'foo')).toMatch(
      /event must be /,
    );
    expect(await runRejected('deliveries', '--state', 'sent')).toContain(
      "'delivered' or 'failed', not 'sent'",
    );
    expect(await runRejected('faults', 'add', 'drop')).toContain('For deliveries, use webhooks.faults.add');
  });
});
