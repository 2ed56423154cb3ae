import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer, testCards } from '../../index.js';
import { startTexts as enTexts } from '../../page/app/texts/en/start.js';
import { startTexts as ptTexts } from '../../page/app/texts/pt/start.js';
import { writeSnippet } from '../../page/app/views/snippets.js';
import { keyNo, openCard, pay, pix, signal, startOfYear, startReceiver } from '../support.js';
import { browserForTests, desktop, go, hasChromium, narrow, visit } from './browser.js';
import { seeded } from './seeded.js';

/** Lists buttons whose label wraps. */
const wrapped = (page: Page) =>
  page.evaluate(`Array.from(document.querySelectorAll('button:not(.link), a.button, .status'))
    .filter((one) => one.getClientRects().length > 0 && new Set(Array.from((() => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getClientRects();
    })(), ({ top }) => Math.round(top / 8))).size > 1)
    .map(({ textContent }) => textContent)`);

describe.skipIf(!hasChromium)('the page', () => {
  const browser = browserForTests();
  let sandbox: Sandbox;
  let server: SandboxServer;
  beforeAll(async () => {
    sandbox = createSandbox({ now: startOfYear });
    server = await sandbox.listen();
  });
  afterAll(() => sandbox?.close());

  const open = (hash = '', options = {}) => visit(browser(), `${server.url}/_sandbox/${hash}`, options);

  test('shows a queued delivery with its target, the reason why it waits and its body', async () => {
    const { promise: responded, fire: respond } = signal();
    const receiver = await startReceiver(() => responded.then(() => 200));
    const endpoint = sandbox.webhooks.register({ url: receiver.url });
    await pay(server, openCard());
    await receiver.until(1);
    const queued = sandbox.webhooks.list().at(-1);
    expect(queued).toMatchObject({ attempts: 0, state: 'pending' });
    const { page, complaints, close } = await open('#/webhooks');
    const row = page.getByRole('row', { name: /transaction\.status\.updated/ });
    await row.waitFor();
    expect(await page.locator('main').textContent()).not.toContain('undefined');
    expect(await row.textContent()).toContain(receiver.url);
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'transaction.status.updated' }).waitFor();
    await page.getByText('Waiting for an earlier delivery to this endpoint.').waitFor();
    await page.getByText('"event": "transaction.status.updated"').waitFor();
    respond();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    await close();
    sandbox.control.webhooks.remove(endpoint.id);
    expect(complaints).toEqual([]);
  });

  test('shows a receiver’s response and the time of the next attempt, and advances the clock to it', async () => {
    const endpoint = sandbox.webhooks.connect(
      () => new Response('The queue is full.', { status: 503, headers: { 'content-type': 'text/plain' } }),
      { events: ['transaction.paid'] },
    );
    await pay(server, openCard());
    await sandbox.webhooks.idle();
    const { page, complaints, close } = await open(`#/webhooks/${sandbox.webhooks.list().at(-1)?.id}`);
    await page.getByText('The queue is full.').waitFor();
    await page.getByText(/^\d+ ms$/).waitFor();
    await page.locator('.title').getByText('failed, retry in 30 s').waitFor();
    await page.getByRole('button', { name: 'Move the clock to the retry' }).click();
    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor();
    await close();
    sandbox.control.webhooks.remove(endpoint.id);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['en-US', enTexts, 'Paid, at once'],
    ['pt-BR', ptTexts, 'Pago, na hora'],
  ] as const)(
    'shows every test card by its number and its outcome, not by its internal name: %s',
    async (locale, texts, approved) => {
      const { page, close } = await open('#/start', { locale });
      await page.getByRole('heading', { name: texts.start.cards }).waitFor();
      const items = await page.locator('.card-group li').allTextContents();
      for (const [name, number] of Object.entries(testCards)) {
        const shown = items.filter((item) => item.includes(number.replace(/(.{4})(?=.)/g, '$1 ')));
        expect(shown).toEqual([expect.stringContaining(texts.start.card[name] ?? name)]);
        expect(await page.getByText(name, { exact: true }).count()).toBe(0);
      }
      expect(items).toHaveLength(Object.keys(testCards).length);
      expect(await page.getByRole('button', { name: approved }).count()).toBe(1);
      await close();
    },
  );

  test('explains in the page’s language that a payment was created although its response was lost', async () => {
    const { page, close } = await open('#/start', { locale: 'pt-BR' });
    sandbox.faults.add({ fault: 'reset', phase: 'after-commit' });
    await page.getByRole('button', { name: 'Criar um Pix', exact: true }).click();
    await page.getByText('Uma falha atingiu a resposta, mas o pagamento foi criado.').waitFor();
    const made = sandbox.ledger.charges.at(-1)?.paymentId;
    await page.locator(`.path a[href="#/payments/${made}"]`).first().waitFor();
    sandbox.faults.add({ fault: 'reset' });
    await page.getByRole('radio', { name: 'Boleto' }).check();
    await page.getByText("paymentMethod: 'boleto'").waitFor();
    await page.getByRole('button', { name: 'Criar um boleto' }).click();
    await page.getByText('Uma falha cortou a conexão. O pagamento não foi criado.').waitFor();
    await page.getByRole('radio', { name: 'Pix' }).check();
    await page.getByRole('button', { name: 'Criar um Pix', exact: true }).click();
    await page.locator('.message').waitFor({ state: 'detached' });
    await close();
  });

  test('explains in Portuguese that the sandbox rejected a value', async () => {
    const { page, close } = await open('#/start', { locale: 'pt-BR' });
    await page.locator('details.clock > summary').click();
    await page.getByLabel('Outra duração').fill('amanhã');
    await page.getByRole('button', { name: 'Avançar', exact: true }).click();
    await page.getByText('O sandbox rejeitou um dos valores.').waitFor();
    await close();
  });

  test('copies the example with working credentials, and shows no secret', async () => {
    const { clientId, clientSecret } = server.clientOptions();
    const { page, complaints, close } = await open('#/start', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByRole('button', { name: 'Copy: curl' }).click();
    await page.getByRole('button', { name: 'Copy: curl' }).getByText('Copied').waitFor();
    expect(await copied()).toBe(writeSnippet('curl', { baseUrl: server.url, clientId, clientSecret }, 'pix'));
    await page.getByRole('button', { name: 'Copy: Client secret' }).click();
    await page.getByRole('button', { name: 'Copy: Client secret' }).getByText('Copied').waitFor();
    expect(await copied()).toBe(clientSecret);
    expect(await page.content()).not.toContain(clientSecret);
    expect(complaints).toEqual([]);
    await close();
  });

  test('shows a request’s fault, its rejected field and its payment', async () => {
    sandbox.faults.add({ fault: { status: 503 }, phase: 'after-commit' });
    await pay(server, pix({ amount: 7_654 }), keyNo(801));
    const rejected = await pay(server, pix({ amount: -1 }), keyNo(802));
    expect(rejected.status).toBe(400);
    const { page, close } = await open('#/journal');
    await page.getByRole('row', { name: /400/ }).getByRole('link').first().click();
    const field = page.getByRole('region', { name: 'Rejected fields' });
    await field.getByText('amount', { exact: true }).waitFor();
    await go(page, '#/journal');
    await page.getByRole('row', { name: /503/ }).getByRole('link').first().click();
    await page.getByRole('link', { name: /76,54/ }).click();
    await page.getByRole('heading', { level: 1, name: /76,54/ }).waitFor();
    await close();
  });
});

describe.skipIf(!hasChromium)('a button or a status on the page', () => {
  const browser = browserForTests();

  test.each([
    ['en-US', desktop],
    ['en-US', narrow],
    ['pt-BR', desktop],
    ['pt-BR', narrow],
  ] as const)('stays on one line: %s, %o', async (locale, viewport) => {
    const { sandbox, server, views } = await seeded();
    const { page, close } = await visit(browser(), `${server.url}/_sandbox/`, { locale, viewport });
    const found: Record<string, unknown> = {};
    for (const [name, hash] of Object.entries(views)) {
      await go(page, hash);
      const texts = await wrapped(page);
      if (JSON.stringify(texts) !== '[]') found[name] = texts;
    }
    expect(found).toEqual({});
    await close();
    await sandbox.close();
  });
});
