import { randomUUID } from 'node:crypto';
import { PaymentPlatform } from '../../../src/index.js';
import type { Sandbox } from '../../index.js';
import { diagnose, noDuplicateCharges, samples, signedNotification } from '../../testing/index.js';
import { readClientOptions } from '../client-options.js';
import type { ControlClient } from '../control-client.js';
import { requireThisMachine, shownUrl } from '../http-url.js';
import { checkIntegration, type JourneyResult } from '../integration-check/check-integration.js';
import { readShop, type ShopInput, shopDefaults } from '../integration-check/read-shop.js';
import { methods } from '../integration-check/shop.js';
import { readAtMost } from '../read-file.js';
import { readSecretVariable, secretVariable } from '../secret.js';
import { withinTime } from '../time-limit.js';
import { asJson, asUntrustedPart } from './results.js';
import { defineTool, type Tool } from './tool.js';

/** Milliseconds for a response of the shop, and for each check of the doctor. */
const limits = { shop: 15_000, doctor: 10_000 };

const longestRead = 1_000_000;

/** Creates the tools about the merchant's own server, and about the money of a session. */
export function shopTools(client: ControlClient, signal: AbortSignal): Tool[] {
  return [
    defineTool(
      'send_webhook',
      `Send a signed webhook to your own server on this machine, and return its response. The secret is the environment variable ${secretVariable} of this server.`,
      'changes',
      {
        required: {
          url: { type: 'string', description: 'The URL of the webhook route: http on localhost.' },
          event: { type: 'string', description: 'Such as `transaction.paid`.' },
        },
        optional: {
          fields: {
            type: 'object',
            description: "Fields that replace the sample's: `id`, `externalReference`, `amount`, `status`.",
          },
          signed: { type: 'boolean', description: 'False sends it without a signature. Default true.' },
        },
      },
      async ({ url, event, fields = {}, signed = true }) => {
        const target = String(url);
        requireThisMachine('url', target);
        const sample = samples.notification(event as 'transaction.paid', {
          id: randomUUID(),
          notificationId: randomUUID(),
          createdAt: (await client.time())().toISOString(),
        });
        const secret = requireSecret();
        const { body, headers } = signedNotification({ ...sample, ...(fields as object) } as never, {
          secret,
        });
        const sent = signed === true ? headers : { 'content-type': 'application/json' };
        return asJson({ event, signed, response: await post(target, sent, body) });
      },
    ),
    defineTool(
      'check_integration',
      `Order from your own shop on this machine, pay, lose responses, and deliver repeated, late and forged webhooks. Returns the mistakes of the shop, each with the page that explains it. The shop must use this sandbox, and ${secretVariable} must be its secret. Takes up to two minutes.`,
      'changes',
      {
        required: {
          shop: { type: 'string', description: 'Its address: http on localhost.' },
          amount: { type: 'integer', minimum: 1, description: 'The price of each order in cents.' },
        },
        optional: {
          ...Object.fromEntries(methods.map((method) => [method, text(orderHelp)])),
          state: text(`The request for an order's state as JSON. Default ${shopDefaults.state}.`),
          id: text(`The field of the order's id in the response to an order. Default ${shopDefaults.id}.`),
          paid: text(
            `The state of a paid order. Default ${shopDefaults.paid}. Also a field, such as paidAt.`,
          ),
          refunded: text('The state of a refunded order. Default: one that is not paid.'),
          webhook: text(`The path of the webhook route. Default ${shopDefaults.webhook}.`),
          queued: {
            type: 'boolean',
            description: 'The shop handles events after its response, from a queue.',
          },
          header: {
            type: 'array',
            items: { type: 'string' },
            description: 'Headers for orders and states, such as `cookie: session=1`.',
          },
        },
      },
      async ({ amount, queued, ...input }) => {
        const shop = { header: [], ...shopDefaults, ...input, timeout: limits.shop } as unknown as ShopInput;
        requireThisMachine('shop', shop.shop);
        const secret = requireSecret();
        const isQueued = queued === true;
        const settings = { ...readShop(shop), amount: Number(amount), isQueued, secret };
        return asJson(summarize(await checkIntegration(client, settings, { signal })));
      },
    ),
    defineTool(
      'check_charges',
      'The verdict of the ledger: names the keys and orders (externalReference) that were charged more than once. Run it after each test.',
      'reads',
      {},
      async () => {
        const { data } = JSON.parse(await client.send('GET /charges?limit=1000')) as {
          data: Sandbox['ledger']['charges'];
        };
        try {
          noDuplicateCharges({ ledger: { charges: data } as Sandbox['ledger'] });
          return `No order was charged twice. ${data.length} charges were compared, the newest 1000 at most.`;
        } catch (error) {
          const text = `${(error as Error).message}\nUse one idempotency key per order, and retry with the same key.`;
          return asUntrustedPart(text, 0);
        }
      },
    ),
    defineTool(
      'run_doctor',
      'Check the path to the platform of the environment variables PAYMENT_PLATFORM_BASE_URL, _CLIENT_ID and _CLIENT_SECRET: network, credentials and clock. Creates no payment.',
      'contacts',
      {},
      async () => {
        const platform = new PaymentPlatform(await readClientOptions({}));
        try {
          const { ok, checks } = await diagnose(platform, { timeout: limits.doctor });
          return asJson({
            ok,
            checks: checks.map(({ name, status, message, remedy }) => ({ name, status, message, remedy })),
          });
        } finally {
          platform.close();
        }
      },
    ),
  ];
}

/** At most, for each journey, so that the results of all fit. */
const shownProblems = { count: 2, length: 160 };

/** Shortens the problems, which can quote the shop. */
const summarize = (results: readonly JourneyResult[]) => ({
  ok: results.flatMap(({ name, status }) => (status === 'ok' ? [name] : [])),
  failed: results.flatMap(({ name, status, problems, page }) => {
    if (status !== 'failed') return [];
    const shown = problems
      .slice(0, shownProblems.count)
      .map((problem) =>
        problem.length > shownProblems.length ? `${problem.slice(0, shownProblems.length)}…` : problem,
      );
    const left = problems.length - shown.length;
    return [{ name, page, problems: left > 0 ? [...shown, `and ${left} more`] : shown }];
  }),
  skipped: results.flatMap(({ name, status, message }) =>
    status === 'skipped' ? [{ name, because: message }] : [],
  ),
});

const text = (description: string) => ({ type: 'string', description });

const orderHelp =
  'The request that orders with it: a method, a path and JSON, such as POST /orders {"id":"{order}"}. {order} is a new id, {cardToken} and {cardNumber} a test card.';

/** Reads the secret of the shop. */
function requireSecret(): string {
  const secret = readSecretVariable();
  if (secret === undefined) throw new Error(`Set ${secretVariable} in the environment of this server.`);
  return secret;
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<object> {
  return withinTime(limits.shop, shownUrl(url), async (signal) => {
    const init = { method: 'POST', headers, body, redirect: 'manual', signal } as const;
    const response = await fetch(url, init).catch((error: Error) => {
      throw new Error(
        `${shownUrl(url)} does not respond: ${String((error.cause as Error)?.message ?? error.message)}`,
      );
    });
    const { bytes } = await readAtMost(response.body ?? new Blob([]).stream(), longestRead);
    return { status: response.status, body: bytes.toString() };
  });
}
