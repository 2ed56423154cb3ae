import { operations } from '../../../src/contract/index.js';
import { readerFor } from '../../../src/validation/options.js';
import { version } from '../../../src/version.js';
import { listTimelineEntries } from '../../control/timeline-entries.js';
import { defaults } from '../../defaults/all.js';
import { type FeatureOptions, featureNames, featureReaders } from '../../merchants/features.js';
import { scenarios } from '../../scenarios/all.js';
import { testCards, testCardTokens, testWalletTokens } from '../../scenarios/test-cards.js';
import type { SandboxClock } from '../../time/clock.js';
import { type AnyAction, action } from '../action.js';
import { testRunners, writeCopiedTest } from '../copied-test/copied-test.js';
import {
  duration,
  enumField,
  flag,
  object,
  optionalInteger,
  readField,
  requiredField,
  text,
} from '../fields.js';
import { defaultLimit, limit, part } from '../list-queries.js';
import { responseWith, responseWithList } from '../response-types.js';

const clockNow = ({ now, frozen }: { now: Date; frozen: boolean }) => ({ now: now.toISOString(), frozen });

const readTime = (clock: SandboxClock) => clockNow({ now: clock.now(), frozen: clock.frozen });

const merchant = text("The client id of the merchant. Default: the sandbox's first one.");

const referenceTo = (clientId: string | undefined) => (clientId === undefined ? undefined : { clientId });

const stateActions: readonly AnyAction[] = [
  action({
    id: 'info.retrieve',
    route: 'GET /info',
    summary: "Get the sandbox's time, merchants and test cards",
    response: responseWith('Info', 'The time, the merchants and the test cards.'),
    run: (sandbox, { counts }) => ({
      version,
      ...readTime(sandbox.clock),
      merchants: sandbox.control.features.list(),
      testCards,
      testCardTokens,
      testWalletTokens,
      counts: counts(),
      operations: operations.map(({ id }) => id),
    }),
  }),
  action({
    id: 'journal.list',
    route: 'GET /journal',
    summary: 'List the requests that the sandbox received, without their secrets',
    query: {
      after: optionalInteger(
        'The number of a request. The response contains the first requests after it. Default: the newest requests.',
        {
          from: 0,
          unit: 'the number of a request',
        },
      ),
      limit,
      payment: text('Only requests about the payment with this id.'),
      rejected: flag('If true, only requests with a status from 400. Default false.'),
    },
    response: responseWithList('JournalEntry', 'In the order of arrival, the newest last.', {
      forgotten: {
        type: 'integer',
        description:
          'The number of old requests that were removed, because the journal keeps at most `maxJournal` bytes.',
      },
    }),
    run: ({ journal }, { query }) => ({
      data: journal.list({ limit: defaultLimit, ...query }),
      forgotten: journal.forgotten,
    }),
  }),
  action({
    id: 'timeline.list',
    route: 'GET /timeline',
    summary:
      'List requests, faults, charges, deliveries, control calls and clock changes, in order of occurrence',
    query: {
      limit,
      before: optionalInteger('The number of a timeline entry. The response contains only older entries.', {
        from: 1,
        unit: 'the number of a timeline entry',
      }),
      payment: text('Only entries about the payment with this id.'),
    },
    response: responseWithList('TimelineEntry', 'In order of time, the newest last.'),
    run: (sandbox, { query, timeline }) => ({
      data: listTimelineEntries(sandbox, timeline, { ...query, limit: query.limit ?? defaultLimit }),
    }),
  }),
  action({
    id: 'test.copy',
    route: 'GET /test',
    summary: 'Create a test that repeats the session and expects the same results',
    query: {
      payment: text('Only the entries about the payment with this id, and about what it depends on.'),
      runner: enumField('The test runner. Default `vitest`.', testRunners),
    },
    response: {
      description:
        'A test in JavaScript with the requests, faults, control calls and clock changes. It starts its own sandbox. 409 with the reason if a test cannot repeat the session.',
      types: ['text/javascript; charset=utf-8'],
    },
    conflicts: true,
    run: (sandbox, { query: { payment, runner = 'vitest' }, ...session }) =>
      new Response(writeCopiedTest(sandbox, session, { payment, runner }), {
        headers: { 'content-type': 'text/javascript; charset=utf-8' },
      }),
  }),
  action({
    id: 'charges.list',
    route: 'GET /charges',
    summary: 'List the newest charges, one for each payment',
    query: {
      ...part,
      idempotencyKey: text('Only charges with this idempotency key. Each merchant has at most one.'),
    },
    response: responseWithList('Charge', 'In the order of the charges, the newest last.'),
    run: ({ ledger }, { query: { idempotencyKey, ...query } }) => ({
      data:
        idempotencyKey === undefined
          ? ledger.list({ limit: defaultLimit, ...query })
          : ledger.chargesFor(idempotencyKey),
    }),
  }),
  action({
    id: 'defaults.list',
    route: 'GET /defaults',
    summary: 'List the sandbox defaults for everything that the API docs do not define',
    response: responseWithList('SandboxDefault', 'By area.'),
    run: () => ({ data: defaults }),
  }),
  action({
    id: 'scenarios.list',
    route: 'GET /scenarios',
    summary: 'List the test values that select an outcome',
    response: responseWithList('Scenario', 'By operation and field.'),
    run: () => ({ data: scenarios }),
  }),
  action({
    id: 'sandbox.reset',
    route: 'POST /reset',
    summary:
      'Delete all data except the merchants, their credentials, their products, and the endpoints and faults of the options',
    response: { description: 'The data is deleted. No body.' },
    run: (sandbox) => sandbox.reset(),
  }),
];

const clockActions: readonly AnyAction[] = [
  action({
    id: 'clock.retrieve',
    route: 'GET /clock',
    summary: "Get the sandbox's time",
    response: responseWith('Clock', 'The time. If `frozen` is true, only this API and tests move the clock.'),
    run: ({ clock }) => readTime(clock),
  }),
  action({
    id: 'clock.advance',
    route: 'POST /clock/advance',
    summary: 'Move the clock forward, and run everything that becomes due',
    body: {
      duration: requiredField(
        duration("Milliseconds, or a string such as '500ms', '30s', '15m', '1h' or '2d'."),
      ),
    },
    response: responseWith('Clock', 'The new time, after everything that became due has run.'),
    run: async ({ clock }, { body }) => {
      await clock.advance(body.duration);
      return readTime(clock);
    },
  }),
];

const merchantActions: readonly AnyAction[] = [
  action({
    id: 'features.list',
    route: 'GET /features',
    summary: 'List the merchants and their products',
    response: responseWithList('Merchant', 'In the order of addition.'),
    run: ({ control }) => ({ data: control.features.list() }),
  }),
  action({
    id: 'features.set',
    route: 'POST /features',
    summary: "Enable or disable a merchant's product",
    body: {
      feature: requiredField(enumField('The product.', featureNames)),
      enabled: requiredField(flag('Whether the sandbox accepts requests that need the product.')),
      clientId: merchant,
    },
    response: responseWithList('Merchant', 'The merchants and their products.'),
    run: ({ control }, { body: { feature, enabled, clientId } }) => {
      control.features[enabled ? 'enable' : 'disable'](feature, referenceTo(clientId));
      return { data: control.features.list() };
    },
  }),
  action({
    id: 'tokens.list',
    route: 'GET /tokens',
    summary: 'List the access tokens from POST /oauth/token, without their values',
    query: { limit },
    response: responseWithList('Token', 'In order of issue, the newest last.'),
    run: ({ control }, { query }) => ({ data: control.oauth.tokens.slice(-(query.limit ?? defaultLimit)) }),
  }),
  action({
    id: 'tokens.revoke',
    route: 'POST /tokens/revoke',
    summary: 'Invalidate every access token',
    response: { description: 'The tokens are invalid. No body.' },
    run: ({ control }) => control.oauth.revokeTokens(),
  }),
  action({
    id: 'credentials.retrieve',
    route: 'GET /credentials',
    summary: "Get the credentials of the sandbox's first merchant",
    response: responseWith('Credentials', 'The client id and the client secret.'),
    run: (sandbox) => pickCredentials(sandbox.clientOptions()),
  }),
  action({
    id: 'credentials.rotate',
    route: 'POST /credentials/rotate',
    summary: "Replace a merchant's client secret, and reject the old secret and its tokens from now on",
    body: { clientId: merchant },
    response: responseWith('Credentials', 'The new credentials.'),
    run: ({ control }, { body }) => pickCredentials(control.credentials.rotate(referenceTo(body.clientId))),
  }),
  action({
    id: 'merchants.add',
    route: 'POST /merchants',
    summary: "Add a merchant, which cannot see other merchants' data",
    body: {
      clientId: text('Default: `sandbox-client-` and hexadecimal digits.'),
      features: readField<FeatureOptions>(
        'The products of the merchant. Default: `paas` true, `split` false.',
        object({ 'paas?': { type: 'boolean' }, 'split?': { type: 'boolean' } }),
        readerFor(featureReaders, 'feature'),
      ),
    },
    response: responseWith(
      'Credentials',
      'The credentials of the merchant. No other request returns this secret.',
    ),
    run: (sandbox, { body }) => pickCredentials(sandbox.addMerchant(body).clientOptions()),
  }),
];

const pickCredentials = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
  clientId,
  clientSecret,
});

export const platformActions: readonly AnyAction[] = [...stateActions, ...clockActions, ...merchantActions];
