import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCards } from '../../index.js';
import { keyNo, naturalPerson, onboard, openCard, pay } from '../support.js';
import { browserForTests, expectNoOverflow, go, hasChromium, narrow, phone, visit } from './browser.js';
import { type Seeded, seeded } from './seeded.js';

/** A shop's longest values. A line cannot break inside them, because they contain no spaces. */
const long = {
  order: 'pedido-2026-11-26-loja-centro-0000000000001042-parcela-1-de-12',
  key: `checkout-${'9f1c2e7b04d5'.repeat(8)}`,
  name: 'Maria Aparecida da Conceição Albuquerque Cavalcanti de Vasconcelos',
  hook: `http://127.0.0.1:9/integrations/payment-platform/webhooks/${'a1b2c3d4'.repeat(6)}?tenant=loja-centro`,
};

/** Finds the buttons and statuses that stick out of their card or list. */
const overhanging = `Array.from(document.querySelectorAll('main :is(button, .button, .status)'))
  .filter((one) => {
    const frame = one.closest('.card, .rows, .list, .tabs');
    if (frame === null || frame.matches('.tabs')) return false;
    return one.getBoundingClientRect().right > frame.getBoundingClientRect().right;
  })
  .map(({ textContent }) => textContent)`;

/**
 * Adds long values, faults, and a delivery that failed for the last time. Returns the views that show them.
 */
async function addLongValues({ sandbox, server }: Seeded): Promise<Record<string, string>> {
  const endpoint = sandbox.webhooks.register({ url: long.hook });
  const customer = {
    name: long.name,
    email: `${'maria.aparecida.'.repeat(3)}silva@atendimento.example.com`,
    document: { number: '12345678909', type: 'cpf' },
  };
  const order = (card?: string) => openCard(card, { externalId: long.order, amount: 14_999_999, customer });
  const { status, body } = await pay(server, order(), long.key);
  expect(status).toBe(201);
  await pay(server, order(testCards.unknown), `${long.key}-unknown`);
  await pay(server, { ...order(), [long.order]: true, amount: -1 });
  await onboard(server, { ...naturalPerson, fullName: long.name }, keyNo(90));
  await sandbox.webhooks.idle();
  await sandbox.clock.advance('1d');
  sandbox.faults.add({
    fault: { status: 503, body: long.key },
    operation: 'submerchants.withdrawals.create',
  });
  sandbox.webhooks.faults.add({ fault: 'old-secret', event: 'transaction.chargedback' });
  const failed = sandbox.webhooks.list({ endpoint: endpoint.id, state: 'failed' }).at(-1);
  expect(failed).toMatchObject({ attempts: 4, nextAttemptAt: undefined });
  const rejected = sandbox.journal.requests.filter(({ status }) => status === 400).at(-1);
  return {
    'long payment': `#/payments/${body.id}`,
    'deliveries of a payment': `#/webhooks?payment=${body.id}`,
    'failed delivery': `#/webhooks/${failed?.id}`,
    'rejected request': `#/journal/${rejected?.number}`,
    'found payments': `#/payments?search=${long.order}&status=paid`,
  };
}

describe.skipIf(!hasChromium)('the page’s layout', () => {
  const browser = browserForTests();
  let fixture: Seeded;
  let views: Record<string, string>;
  beforeAll(async () => {
    fixture = await seeded({});
    views = { ...fixture.views, ...(await addLongValues(fixture)) };
  });
  afterAll(() => fixture?.sandbox.close());

  test.each([
    ['English', 360, 'en-US', narrow],
    ['English', 390, 'en-US', phone],
    ['Portuguese', 360, 'pt-BR', narrow],
    ['Portuguese', 390, 'pt-BR', phone],
    ['Portuguese', 768, 'pt-BR', { width: 768, height: 1_024 }],
    ['Portuguese', 1_024, 'pt-BR', { width: 1_024, height: 768 }],
  ])('is never wider than the screen: %s, %i px', async (_, width, locale, viewport) => {
    const { page, complaints, close } = await visit(browser(), `${fixture.server.url}/_sandbox/`, {
      viewport,
      locale,
      isMobile: true,
      hasTouch: true,
    });
    for (const [name, hash] of Object.entries(views)) {
      await go(page, hash);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      await expectNoOverflow(page, name);
      expect([name, await page.evaluate(overhanging)]).toEqual([name, []]);
      // A phone would otherwise zoom out until the page fits.
      expect([name, await page.evaluate('innerWidth')]).toEqual([name, width]);
    }
    expect(complaints).toEqual([]);
    await close();
  });
});
