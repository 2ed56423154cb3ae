// Checks that a version of the package can continue with an older version's data. Each check returns its
// problems as messages.
import type { PaymentPlatform, TokenStore } from 'payment-platform';
import type { PaymentStore } from 'payment-platform/durable';
import type { Sandbox } from 'payment-platform/sandbox';
import type { DedupeStore } from 'payment-platform/webhooks';
import {
  accessToken,
  body,
  charged,
  handled,
  order,
  recorded,
  type Sdk,
  sandboxOptions,
  secret,
  tokenClient,
} from '../../tools/compatibility/scene.js';

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Converts an error to a problem. */
async function attempt(what: string, work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    return [`${what}: ${toMessage(error)}`];
  }
}

const unless = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);

/**
 * Checks that no handled event is handled again, that another process keeps its claims, and that ranks are
 * kept.
 */
export const deliveriesAreKept = (sdk: Sdk, dedupe: DedupeStore): Promise<string[]> =>
  attempt('The deliveries cannot be read', async () => {
    const { createReceiver, sign } = sdk.webhooks;
    const again: string[] = [];
    const receiver = createReceiver({
      secret,
      dedupe,
      on: { 'transaction.paid': (event) => again.push(String(event.id)) },
      onError: () => undefined, // The outcome already shows the error.
    });
    const outcomes: string[] = [];
    for (const id of [...handled, 'new-1']) {
      const text = body(id);
      outcomes.push((await receiver.receive({ body: text, headers: sign({ body: text, secret }) })).outcome);
    }
    const claim = await dedupe.claim('claimed', 1_000, { holder: 'of this process', digest: 'of a body' });
    return [
      ...handled.flatMap((id, index) =>
        unless(
          outcomes[index] === 'duplicate' && !again.includes(id),
          `The event ${id} was handled, and is ${outcomes[index]} again.`,
        ),
      ),
      ...unless(outcomes.at(-1) === 'handled', `A new event is ${outcomes.at(-1)}.`),
      ...unless(claim === 'busy', `An event that another process has claimed is ${claim}.`),
      ...unless(
        (await dedupe.advance?.('ranked', 2, 1_000)) === false,
        'A rank is forgotten: an older state would follow a newer one.',
      ),
    ];
  });

/** They stored tokens under keys that the client secret was not a part of. */
const keyedWithoutSecret = ['0.1.0', '1.0.0-rc.1'];

/** Checks that the stored token is used, and that no other token is requested. */
export const tokenIsKept = (sdk: Sdk, store: TokenStore, version: string): Promise<string[]> =>
  attempt('The token cannot be read', async () => {
    const { platform, seen } = tokenClient(sdk, store);
    await platform.domains.list();
    return [
      ...(keyedWithoutSecret.includes(version)
        ? unless(seen.tokenRequests === 1, 'A token was used that was stored without its secret.')
        : unless(seen.tokenRequests === 0, 'The stored token is lost: another one was requested.')),
      ...unless(
        seen.authorizations[0] === `Bearer ${accessToken}`,
        'The call was sent without the stored token.',
      ),
    ];
  });

/** Checks that a full rate limit window stays full. */
export const limitIsKept = (sdk: Sdk, client: import('payment-platform').RedisClient, prefix: string) =>
  attempt('The rate limit cannot be read', async () => {
    const wait = await sdk.main.redisRateLimitStore(client, { prefix }).reserve('limited', 3, 3_600_000);
    return unless(wait > 0, 'The requests of the older version are not counted any more.');
  });

/** Opens a sandbox with a state file, or returns why that fails. */
function openedState(sdk: Sdk, stateFile: string): { sandbox?: Sandbox; problem?: string } {
  try {
    return { sandbox: sdk.sandbox.createSandbox({ ...sandboxOptions, stateFile }) };
  } catch (error) {
    return { problem: toMessage(error) };
  }
}

const createClient = (sdk: Sdk, sandbox: Sandbox): PaymentPlatform =>
  new sdk.main.PaymentPlatform(sandbox.clientOptions());

const chargedOnce = (sandbox: Sandbox, keys: readonly string[]): string[] =>
  keys.flatMap((key) => {
    const count = sandbox.ledger.chargesFor(key).length;
    return unless(count === 1, `The payment ${key} is charged ${count} times.`);
  });

/** Checks that a sandbox still knows its charges, so that the same idempotency keys charge nothing again. */
export const chargesAreKept = (sdk: Sdk, stateFile: string): Promise<string[]> =>
  attempt('The state file cannot be used', async () => {
    const { sandbox, problem } = openedState(sdk, stateFile);
    if (sandbox === undefined) return [`The state file is refused: ${problem}`];
    const before = sandbox.ledger.charges.length;
    for (const key of charged)
      await createClient(sdk, sandbox).payments.create(order(key), { idempotencyKey: key });
    const problems = [
      ...chargedOnce(sandbox, charged),
      ...unless(sandbox.ledger.charges.length === before, 'The same keys were charged again.'),
    ];
    await sandbox.close();
    return problems;
  });

/**
 * Checks that recorded payments continue. Each must be charged exactly once, and no settled payment again.
 */
export const recordsAreKept = (sdk: Sdk, store: PaymentStore<never>, place: string, stateFile: string) =>
  attempt('The recorded payments cannot be read', async () => {
    const { sandbox, problem } = openedState(sdk, stateFile);
    if (sandbox === undefined) return [`The state file is refused: ${problem}`];
    const payments = sdk.durable?.createDurablePayments(createClient(sdk, sandbox), { store });
    if (payments === undefined) return ['The durable payments are gone.'];
    await payments.settleDue();
    const keys = recorded.map((name) => `${place}-${name}`);
    const records = await payments.list();
    const problems = [
      ...keys.flatMap((key) => {
        const found = records.find((each) => each.key === key);
        return unless(found?.state === 'settled', `The payment ${key} is ${found?.state ?? 'gone'}.`);
      }),
      ...chargedOnce(sandbox, keys),
    ];
    await sandbox.close();
    return problems;
  });
