import { describe, expect, test } from 'vitest';
import { isValidCnpj, isValidCpf, PaymentPlatform } from '../../../src/index.js';
import * as sandboxEntry from '../../index.js';
import { type Sandbox, type Scenario, scenarios } from '../../index.js';
import { createSamples } from '../../testing/index.js';
import {
  boleto,
  fetchOnboardingStatus,
  naturalPerson,
  onboard,
  openCard,
  pay,
  pix,
  sandboxForTest,
  withCard,
} from '../support.js';

/** Steps of the clock, with the expected record after each step. */
type Story = readonly (readonly [advance: string, status: unknown])[];

const expectDecline = (code: string): Story => [['0s', { status: 'refused', refusalReason: { code } }]];

const analysis = { status: 'in_analysis' };
const unknown = { status: 502 };
const keyProtected = { status: 409 };
const paid = { status: 'paid' };
const waiting = { status: 'waiting_payment' };
const expired = { status: 'expired' };

/** Maps the decision on a card, a token or a wallet to its story. */
const cardStories: Readonly<Record<string, Story>> = {
  approved: [['0s', paid]],
  refused: expectDecline('refused_by_issuer'),
  inAnalysis: [
    ['0s', analysis],
    ['1d', analysis],
  ],
  unknown: [
    ['0s', unknown],
    ['1d', keyProtected],
  ],
  insufficientFunds: expectDecline('insufficient_funds'),
  expiredCard: expectDecline('expired_card'),
  invalidCvv: expectDecline('invalid_cvv'),
  suspectedFraud: expectDecline('suspected_fraud'),
  lostOrStolen: expectDecline('lost_or_stolen'),
  limitExceeded: expectDecline('limit_exceeded'),
  notPermitted: expectDecline('not_permitted'),
  processingError: expectDecline('processing_error'),
  inAnalysisThenApproved: [
    ['59s', analysis],
    ['1s', paid],
  ],
  inAnalysisThenRefused: [
    ['59s', analysis],
    ['1s', { status: 'refused', refusalReason: { code: 'suspected_fraud' } }],
  ],
  unknownThenCreated: [
    ['0s', unknown],
    ['59s', keyProtected],
    ['1s', paid],
  ],
  unknownThenNotCreated: [
    ['0s', unknown],
    ['59s', keyProtected],
    ['1s', paid],
  ],
  upsellRefused: [['0s', paid]],
  withoutUpsell: [['0s', paid]],
};

const payerStories: Readonly<Record<string, Story>> = {
  paidAfter: [
    ['29s', waiting],
    ['1s', paid],
  ],
  refused: expectDecline('refused_by_issuer'),
  refusedAfter: [
    ['29s', waiting],
    ['1s', { status: 'refused', refusalReason: { code: 'refused_by_issuer' } }],
  ],
  expiredAfter: [
    ['29s', waiting],
    ['1s', expired],
  ],
  paidLate: [
    ['0s', waiting],
    ['31d', expired],
    ['1d', paid],
  ],
};

const submitted = { status: 'submitted', can_resubmit: false };
const approved = { status: 'approved', can_resubmit: false };
const rejected = { status: 'rejected', can_resubmit: false };

const kycStories: Readonly<Record<string, Story>> = {
  approved: [['0s', approved]],
  approvedAfter: [
    ['29s', submitted],
    ['1s', approved],
  ],
  rejected: [
    ['0s', rejected],
    ['1d', rejected],
  ],
  rejectedAfter: [
    ['29s', submitted],
    ['1s', rejected],
  ],
  rejectedThenApproved: [['1d', { status: 'rejected', can_resubmit: true }]],
  inReview: [
    ['1m', { status: 'in_review', can_resubmit: false }],
    ['1d', { status: 'in_review', can_resubmit: false }],
  ],
};

const domainStories: Readonly<Record<string, Story>> = {
  verified: [
    ['9s', { status: 'pending' }],
    ['1s', { status: 'verified', verifiedAt: '2026-01-01T00:00:10.000Z' }],
  ],
  fails: [
    ['9s', { status: 'pending' }],
    ['1s', { status: 'failed', lastVerificationError: expect.stringContaining('returned 404') }],
  ],
};

/**
 * Sends a scenario's value. Returns a function that reads the record from this sandbox or from a later
 * sandbox.
 */
type Send = (sandbox: Sandbox, scenario: Scenario) => Promise<(later: Sandbox) => Promise<object>>;

const payment =
  (bodyWith: (value: string, constant: string) => object): Send =>
  async (sandbox, { value, constant }) => {
    const body = bodyWith(value, constant);
    const first = await pay(sandbox, body, 'key');
    let attempts = 0;
    // A card payment with an unknown outcome has no id yet, so the test finds it by key.
    return async (later) => {
      if (first.status === 201) return later.control.payments.retrieve(String(first.body.id));
      const reply = attempts++ === 0 ? first : await pay(later, body, 'key');
      return reply.status < 300 ? reply.body : { status: reply.status };
    };
  };

const walletWith = (value: string) => {
  const { card: _, ...rest } = openCard(undefined, { wallet: { type: 'apple_pay', token: value } });
  return rest;
};

const withoutCustomer = (value: string, constant: string) => ({
  ...(constant === 'testNames.paidLate' ? boleto() : pix()),
  customer: { name: 'Maria Silva' },
  externalId: value,
});

const onboardingPf =
  (field: string): Send =>
  async (sandbox, { value }) => {
    const { body } = await onboard(sandbox, { ...naturalPerson, [field]: value });
    expect(body.status).toBe('submitted');
    return async (later) => (await fetchOnboardingStatus(later, body.registration_id)).body;
  };

const onboardingPj =
  (field: string): Send =>
  async (sandbox, { value }) => {
    const client = new PaymentPlatform(sandbox.clientOptions());
    const sample = createSamples().onboarding.pj({ [field]: value });
    const { registration_id, status } = await client.onboarding.submitPj(sample);
    expect(status).toBe('submitted');
    return async (later) => (await fetchOnboardingStatus(later, registration_id)).body;
  };

const domain: Send = async (sandbox, { value }) => {
  await new PaymentPlatform(sandbox.clientOptions()).domains.register({ domainName: value });
  return async (later) => {
    const { data } = await new PaymentPlatform(later.clientOptions()).domains.list();
    return data[0] ?? {};
  };
};

/** Defines how to send a value and what follows, by operation and field. */
const fields: Readonly<Record<string, readonly [Send, Readonly<Record<string, Story>>]>> = {
  'payments.create card.number': [payment((value) => openCard(value)), cardStories],
  'payments.create card.cardTokenId': [payment((value) => withCard({ cardTokenId: value })), cardStories],
  'payments.create wallet': [payment(walletWith), cardStories],
  'payments.create customer.name': [
    payment((name, constant) => (constant.endsWith('Late') ? boleto : pix)({ customer: { name } })),
    payerStories,
  ],
  'payments.create externalId': [payment(withoutCustomer), payerStories],
  'onboarding.submitPf fullName': [onboardingPf('fullName'), kycStories],
  'onboarding.submitPf document': [onboardingPf('document'), kycStories],
  'onboarding.submitPj representativeName': [onboardingPj('representativeName'), kycStories],
  'onboarding.submitPj cnpj': [onboardingPj('cnpj'), kycStories],
  'domains.register domainName': [domain, domainStories],
};

function findStory({ operation, field, constant }: Scenario): readonly [Send, Story] {
  const [send, stories] = fields[`${operation} ${field}`] ?? [];
  const story = stories?.[/^\w+\.(\w+)/.exec(constant)?.[1] ?? ''];
  if (send === undefined || story === undefined) throw new Error(`No story for ${constant}.`);
  return [send, story];
}

describe.each(scenarios)('the scenario $id', (scenario) => {
  const [send, story] = findStory(scenario);

  test('ends in the outcome that the table of scenarios states', async () => {
    const sandbox = sandboxForTest();
    const look = await send(sandbox, scenario);
    for (const [advance, status] of story) {
      await sandbox.clock.advance(advance);
      expect(await look(sandbox)).toMatchObject(status as object);
    }
  });

  test('ends in the same outcome in a sandbox that is saved and restored after each step', async () => {
    let sandbox = sandboxForTest();
    const look = await send(sandbox, scenario);
    for (const [advance, status] of story) {
      sandbox = sandboxForTest({ now: undefined, state: JSON.parse(JSON.stringify(sandbox.save())) });
      await sandbox.clock.advance(advance);
      expect(await look(sandbox)).toMatchObject(status as object);
    }
  });

  test('is an exported constant', () => {
    const [, name = '', path = '', argument] =
      /^(\w+)\.([\w.]+)(?:\('(\w+)'\))?$/.exec(scenario.constant) ?? [];
    const found = path
      .split('.')
      .reduce<unknown>(
        (holder, key) => (holder as Record<string, unknown>)[key],
        (sandboxEntry as Record<string, unknown>)[name],
      );
    expect(typeof found === 'function' ? found(argument) : found).toBe(scenario.value);
  });
});

test('every scenario constant is in the table', () => {
  const { testCards, testCardTokens, testWalletTokens, testNames, testDomains } = sandboxEntry;
  const named = new Set(scenarios.map(({ constant }) => constant.replace(/\(.*/, '')));
  for (const [name, constants] of Object.entries({
    testCards,
    testCardTokens,
    testWalletTokens,
    testNames,
    testDomains,
  })) {
    for (const key of Object.keys(constants)) expect(named).toContain(`${name}.${key}`);
  }
});

test('every scenario has its own id and its own combination of operation, field and value', () => {
  expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  const values = scenarios.map(({ operation, field, value }) => `${operation} ${field} ${value}`);
  expect(new Set(values).size).toBe(scenarios.length);
});

test('the scenario documents have valid check digits', () => {
  for (const { cpf, cnpj } of Object.values(sandboxEntry.testDocuments)) {
    expect([isValidCpf(cpf), isValidCnpj(cnpj)]).toEqual([true, true]);
  }
});
