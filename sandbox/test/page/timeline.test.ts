import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserForTests, go, hasChromium, visit } from './browser.js';
import { type Seeded, seeded } from './seeded.js';

describe.skipIf(!hasChromium)('the timeline of a payment', () => {
  const browser = browserForTests();
  let fixture: Seeded;
  beforeAll(async () => {
    fixture = await seeded();
  });
  afterAll(() => fixture?.sandbox.close());

  const open = (hash: string, options = {}) =>
    visit(browser(), `${fixture.server.url}/_sandbox/${hash}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });

  test('lists every step in order as text', async () => {
    const { page, complaints, close } = await open(fixture.views.story ?? '');
    await page.getByText('3 requests with one key, 1 charge.').waitFor();
    const steps = await page.locator('.sequence li').allTextContents();
    expect(steps).toEqual([
      '00:00:00Your code → Sandbox: POST /v1/paymentsKey A',
      'Charge of R$\u00a0259,90Waiting for payment',
      'Sandbox → Your receiver: transaction.waiting_payment',
      'Sandbox → Your code: reset The response is lost',
      'Your receiver → Sandbox: 200',
      'Your code → Sandbox: POST /v1/paymentsKey A',
      'HTTP 503 Not executed because of a fault',
      'Sandbox → Your code: 503',
      'Your code → Sandbox: POST /v1/paymentsKey A',
      'Sandbox → Your code: 200Same key, same payment: no new charge',
      'The clock advances by 5 min',
      '+5 minYou: Pay',
      'Paid',
      'Sandbox → Your receiver: transaction.paid',
      'Your receiver → Sandbox: 200',
    ]);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    ['en-US', 'Copy as test', 'The test was copied to the clipboard.'],
    ['pt-BR', 'Copiar como teste', 'O teste está na área de transferência.'],
  ])(
    'has a button that copies the control API’s test to the clipboard: %s',
    async (locale, button, message) => {
      const { page, complaints, close } = await open(fixture.views.story ?? '', { locale });
      await page.getByRole('button', { name: button }).click();
      await page.getByText(message).waitFor();
      const text = await page.evaluate('navigator.clipboard.readText()');
      const id = fixture.views.story?.split('/').at(-1);
      const response = await fetch(`${fixture.server.url}/_sandbox/test?payment=${id}`);
      expect(text).toBe(await response.text());
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('is found by a search, and linked from its deliveries and requests', async () => {
    const { page, complaints, close } = await open('#/payments');
    await page.getByLabel('Search payments').fill('259,90');
    await page.getByLabel('Search payments').press('Enter');
    await expect.poll(() => page.getByRole('table', { name: 'Payments' }).getByRole('row').count()).toBe(2);
    await page
      .getByRole('row', { name: /pedido-1042/ })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { level: 1, name: /259,90/ }).waitFor();
    await page.getByRole('table', { name: 'Requests' }).getByRole('link').first().click();
    await page.getByRole('link', { name: /259,90/ }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first().click();
    await page.getByRole('link', { name: /259,90/ }).click();
    await go(page, fixture.views.story ?? '');
    expect(complaints).toEqual([]);
    await close();
  });
});
