import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { pastedWith } from '../../src/validation/pasted.js';
import { exitCodes, Failure } from './failure.js';
import { writeError } from './write.js';

/** The variable of the environment that has the secret of webhooks. */
export const secretVariable = 'PAYMENT_PLATFORM_WEBHOOK_SECRET';

/**
 * The secret of webhooks in the environment.
 *
 * @throws Failure if it is too short or too long, or has characters that were pasted with it.
 */
export function givenSecret(): string | undefined {
  const given = process.env[secretVariable];
  const pasted = pastedWith(given ?? '');
  if (pasted !== undefined) throw new Failure(`${secretVariable} ${pasted}.`, exitCodes.usage);
  if (given === undefined || given === '' || (given.length >= 16 && given.length <= 256)) {
    return given || undefined;
  }
  throw new Failure(
    `${secretVariable} must have 16 to 256 characters, got ${given.length}.`,
    exitCodes.usage,
  );
}

/** The secret of webhooks, from the environment, or asked for. Never from the arguments, which other processes see. */
export async function webhookSecret(): Promise<string> {
  const given = givenSecret() ?? (process.stdin.isTTY ? await asked() : '');
  if (given !== '') return given;
  throw new Failure(
    `Set ${secretVariable} to the secret of the endpoint, 16 to 256 characters.`,
    exitCodes.usage,
  );
}

/** Prompts on the terminal without echo. */
async function asked(): Promise<string> {
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
