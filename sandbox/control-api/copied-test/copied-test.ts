import type { Sandbox } from '../../control/sandbox-interface.js';
import { platformOptions, ruleOptions } from '../../defaults/all.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import { featureNames } from '../../merchants/features.js';
import type { TimelineEntry } from '../../timeline/timeline.js';
import { Receivers } from './deliveries.js';
import { literal } from './literal.js';
import { refuse, withoutRun } from './refusal.js';
import { type Selection, type Session, select } from './selection.js';
import { Steps } from './steps.js';

export const testRunners = ['vitest', 'jest'] as const;

export type TestRunner = (typeof testRunners)[number];

const imported = ['createSandbox', 'testCards', 'testCardTokens', 'testWalletTokens'];

const sendFunction = `/** Sends a request. Without a response, both fields are undefined. */
async function send(method, path, { key, body, form, secret, hangs } = {}) {
  const { baseUrl, clientId, clientSecret } = sandbox.clientOptions();
  const headers = { 'client-id': clientId, 'client-secret': secret ?? clientSecret };
  if (key !== undefined) headers['x-idempotency-key'] = key;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const fields = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) fields.append(name, value);
  const patience = new AbortController();
  if (hangs) setTimeout(() => patience.abort(), 100);
  try {
    const response = await sandbox.fetch(baseUrl + path, {
      method,
      headers,
      body: body === undefined ? (form && fields) : JSON.stringify(body),
      signal: patience.signal,
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    return { status: undefined, body: undefined };
  }
}`;

const paymentFunction = `/** The id of a payment, by its place among the payments of this test. */
const payment = (index) => sandbox.control.payments.list()[index].id;`;

const receiverFunction = `/** A webhook receiver. Its statuses by event and payment, 200 by default. It does not respond if a status is 0. */
const receiver = (statuses) => async (request) => {
  const { event, id } = await request.json();
  const index = sandbox.control.payments.list().findIndex((one) => one.id === id);
  const status = statuses[\`\${event} \${index}\`]?.shift() ?? 200;
  if (status === 0) throw new Error('no response');
  return new Response(null, { status });
};`;

export function writeCopiedTest(
  sandbox: Sandbox,
  session: Session,
  { payment, runner }: { readonly payment: string | undefined; readonly runner: TestRunner },
): string {
  const selection = select(sandbox, session, payment);
  const { entries } = selection;
  if (entries.length === 0 && payment === undefined) refuse('nothing has happened', 'Make a payment first');
  if (entries.length > longestRun)
    refuse(`it has ${entries.length} steps, and a test repeats at most ${longestRun}`, withoutRun);
  const isMade = entries.some((entry) => entry.kind === 'status' && entry.isFirst);
  if (payment !== undefined && !isMade) {
    throw new Error(`The sandbox does not remember how payment ${payment} was made.`);
  }
  const charged = entries.filter((entry) => entry.kind === 'status' && entry.isFirst);
  const made = charged.map((entry) => (entry.kind === 'status' ? entry.paymentId : ''));
  const places = new Map(made.map((id, index) => [id, index]));
  const receivers = new Receivers(sandbox, entries, (id = '') => places.get(id) ?? -1);
  if (receivers.areUsed && sandbox.journal.requests.some(isEndpointChange))
    refuse('an endpoint was changed with webhooks.update');
  const steps = new Steps(sandbox, selection, receivers, made);
  const body = [...steps.lines(), ...finalComparisons(entries, made, receivers)];
  const used = [...steps.bodies(), ...body].join('\n');
  const parts = [
    importLines(runner, used),
    `const sandbox = createSandbox(${literal(buildOptions(sandbox, selection, session.options))});\n\nafterAll(() => sandbox.close());`,
    sendFunction,
    ...(used.includes('payment(') ? [paymentFunction] : []),
    ...(receivers.areUsed ? [receiverFunction] : []),
    ...steps.bodies(),
    `test(${literal(buildTitle(sandbox, payment))}, async () => {\n${body.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n});`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const isEndpointChange = ({ operation, status }: JournalRequest) =>
  operation === 'webhooks.update' && status === 200;

function importLines(runner: TestRunner, used: string): string {
  const names = imported.filter((name) => name === 'createSandbox' || used.includes(`${name}.`)).join(', ');
  return runner === 'jest'
    ? `const { ${names} } = require('payment-platform/sandbox');`
    : `import { ${names} } from 'payment-platform/sandbox';\nimport { afterAll, expect, test } from 'vitest';`;
}

/** The options about behaviour, and not about data. */
const ruleNames = [
  'fieldNames',
  'submerchantUpdates',
  ...Object.keys({ ...ruleOptions, ...platformOptions }),
];

/** The test's sandbox starts at the time of the first event, with the products that the merchant had then. */
function buildOptions(
  { control }: Sandbox,
  { entries, findRequest, owner }: Selection,
  options: object,
): object {
  const rules = Object.fromEntries(Object.entries(options).filter(([name]) => ruleNames.includes(name)));
  JSON.stringify(rules, (name, value) =>
    typeof value === 'function'
      ? refuse(`the sandbox's option ${name} is a function`, 'Create the sandbox without it')
      : value,
  );
  const now = entries[0]?.at;
  const isLimited = entries.some(
    (entry) => entry.kind === 'response' && findRequest(entry.request)?.status === 429,
  );
  const present = control.features.list().find(({ clientId }) => clientId === owner)?.features;
  const features = Object.fromEntries(
    featureNames.map((name) => {
      const change = entries.find(
        (entry) => entry.kind === 'control' && entry.call.startsWith('features.') && entry.args[0] === name,
      );
      const before = change?.kind === 'control' ? change.call === 'features.disable' : present?.[name];
      return [name, before];
    }),
  );
  return { now, features, ...rules, ...(!isLimited && { rateLimits: false }) };
}

const buildTitle = ({ control }: Sandbox, payment: string | undefined) => {
  if (payment === undefined) return 'what happened in the sandbox';
  const { amount, paymentMethod, externalReference } = control.payments.retrieve(payment);
  return `a payment of ${(amount / 100).toFixed(2)} BRL by ${paymentMethod}${externalReference == null ? '' : `, ${externalReference}`}`;
};

/** About 1,000 payments with their deliveries. A longer run would keep the sandbox busy for seconds. */
const longestRun = 10_000;

function finalComparisons(
  entries: readonly TimelineEntry[],
  made: readonly string[],
  receivers: Receivers,
): string[] {
  const amounts = new Map<string | undefined, number>();
  const statuses = new Map<string | undefined, string>();
  for (const entry of entries)
    if (entry.kind === 'status') {
      if (!amounts.has(entry.paymentId)) amounts.set(entry.paymentId, entry.amount);
      statuses.set(entry.paymentId, entry.status);
    }
  const charges = made.map((id) => `${amounts.get(id) ?? 0} ${statuses.get(id)}`);
  const lines = [
    '',
    '// Each payment was charged once.',
    "const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));",
    `expect(charges).toEqual(${literal(charges, '  ')});`,
  ];
  if (!receivers.areUsed) return lines;
  if (receivers.areRepeatable) return [...lines, '', ...receivers.seen()];
  return [
    ...lines,
    '',
    '// Deliveries were running, late or changed, so their outcomes differ between runs.',
  ];
}
