import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer, testCards } from '../../index.js';
import { keyNo, openCard, pay, startOfYear } from '../support.js';
import { browserForTests, desktop, go, hasChromium, narrow, visit } from './browser.js';

describe.skipIf(!hasChromium)('a delivery on the page', () => {
  const browser = browserForTests();
  let sandbox: Sandbox;
  let server: SandboxServer;
  let payment: string;
  beforeAll(async () => {
    sandbox = createSandbox({ now: startOfYear });
    server = await sandbox.listen();
    sandbox.webhooks.connect(() => new Response('The queue is full.', { status: 503 }), {
      events: ['transaction.paid'],
    });
    const order = openCard(testCards.approved, { externalId: 'pedido-1042', amount: 25_990 });
    payment = String((await pay(server, order, keyNo(1))).body.id);
    await pay(server, openCard(testCards.approved, { externalId: 'pedido-1043' }));
    await sandbox.webhooks.idle();
  });
  afterAll(() => sandbox?.close());

  const open = (hash: string, options = {}) => visit(browser(), `${server.url}/_sandbox/${hash}`, options);

  test.each([
    ['English', 'en-US', 'failed, retry in 30 s'],
    ['Portuguese', 'pt-BR', 'falhou, reenvio em 30 s'],
  ])(
    'shows its order, the receiver’s response and the time until the next retry: %s',
    async (_, locale, retry) => {
      const { page, complaints, close } = await open('#/webhooks', { locale });
      const row = page.locator('tr', { hasText: 'pedido-1042' });
      await row.getByText(retry, { exact: true }).waitFor();
      for (const text of ['R$ 259,90', '503', 'The queue is full.']) await row.getByText(text).waitFor();
      expect(await row.locator('.status.wait').textContent()).toBe(retry);
      expect(await row.getByText(/^(failed|falhou)$/).count()).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('links to its payment and back', async () => {
    const { page, complaints, close } = await open(`#/payments/${payment}`);
    await page.getByRole('link', { name: '1 delivery' }).click();
    const table = page.getByRole('table', { name: 'Deliveries' });
    await table.getByRole('link', { name: 'transaction.paid' }).waitFor();
    expect(await table.getByRole('row').count()).toBe(2);
    await table.getByRole('link', { name: /259,90 pedido-1042/ }).click();
    await page.getByRole('heading', { level: 1, name: /259,90/ }).waitFor();
    expect(page.url()).toContain(`#/payments/${payment}`);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    ['beside its attempts on a desktop', 'beside', desktop],
    ['below its attempts on a phone', 'below', narrow],
  ])('shows its body %s', async (_, place, viewport) => {
    const [delivery] = sandbox.webhooks.list({ payment });
    const { page, complaints, close } = await open(`#/webhooks/${delivery?.id}`, { viewport });
    const attempt = await page.getByRole('region', { name: 'Attempt 1', exact: true }).boundingBox();
    const body = await page.getByRole('region', { name: 'Body', exact: true }).boundingBox();
    const isBeside = (body?.x ?? 0) >= (attempt?.x ?? 0) + (attempt?.width ?? 0);
    expect(isBeside).toBe(place === 'beside');
    if (!isBeside) expect(body?.y).toBeGreaterThan((attempt?.y ?? 0) + (attempt?.height ?? 0));
    expect(complaints).toEqual([]);
    await close();
  });

  test('shows that the last retry has failed, and when each attempt was made', async () => {
    const other = createSandbox({ now: startOfYear });
    const served = await other.listen();
    other.webhooks.connect(() => new Response(null, { status: 500 }), { events: ['transaction.paid'] });
    await pay(served, openCard());
    await other.webhooks.idle();
    await other.clock.advance('1h');
    const { page, complaints, close } = await visit(browser(), `${served.url}/_sandbox/#/webhooks`);
    await page.getByRole('row', { name: /transaction\.paid failed/ }).waitFor();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Webhooks.*1 failed delivery$/ })
      .waitFor();
    await go(page, `#/webhooks/${other.webhooks.list()[0]?.id}`);
    await page.getByText('No retries left.').waitFor();
    const times = await page.locator('.title time').allTextContents();
    expect(times).toEqual(['+3 min 30 s', '+1 min 30 s', '+30 s', '00:00:00']);
    await go(page, `#/payments/${other.control.payments.list().at(-1)?.id}`);
    await page.getByText('The delivery failed. HTTP 500').waitFor();
    expect(complaints).toEqual([]);
    await close();
    await other.close();
  });
});
