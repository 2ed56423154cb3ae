import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { describePastedCharacter } from '../../src/validation/pasted.js';
import { Failure } from './failure.js';
import { writeError } from './write.js';

export const secretVariable = 'PAYMENT_PLATFORM_WEBHOOK_SECRET';

export function readSecretVariable(): string | undefined {
  const value = process.env[secretVariable];
  const pasted = describePastedCharacter(value ?? '');
  if (pasted !== undefined) throw new Failure(`${secretVariable} ${pasted}.`);
  if (value === undefined || value === '' || (value.length >= 16 && value.length <= 256)) {
    return value || undefined;
  }
  throw new Failure(`${secretVariable} must have 16 to 256 characters, got ${value.length}.`);
}

/** The secret is never read from the arguments, which other processes can see. */
export async function readWebhookSecret(): Promise<string> {
  const value = readSecretVariable() ?? (process.stdin.isTTY ? await promptForSecret() : '');
  if (value !== '') return value;
  throw new Failure(`Set ${secretVariable} to the secret of the endpoint, 16 to 256 characters.`);
}

async function promptForSecret(): Promise<string> {
  writeError('Webhook secret: ');
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return await prompt.question('');
  } finally {
    prompt.close();
    writeError('\n');
  }
}
