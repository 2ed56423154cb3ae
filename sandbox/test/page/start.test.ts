import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer, testCards } from '../../index.js';
import { startOfYear, startReceiver } from '../support.js';
import { browserForTests, expectNoOverflow, go, hasChromium, phone, visit } from './browser.js';

describe.skipIf(!hasChromium)('the start page', () => {
  const browser = browserForTests();
  let sandbox: Sandbox;
  let server: SandboxServer;
  beforeAll(async () => {
    sandbox = createSandbox({ now: startOfYear });
    server = await sandbox.listen();
  });
  afterAll(() => sandbox?.close());

  const open = (hash = '', options = {}) => visit(browser(), `${server.url}/_sandbox/${hash}`, options);

  test('shows the way from a payment to its webhook on one page', async () => {
    const receiver = await startReceiver();
    const { page, complaints, close } = await open();
    const steps = page.locator('.path > li');
    expect(await steps.getByRole('heading').allTextContents()).toEqual([
      'Create a payment',
      'Pay it',
      'See the webhook',
    ]);
    await steps.nth(2).getByRole('button', { name: 'Register an endpoint…' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await steps.nth(2).getByText('The sandbox will send the next status change').waitFor();
    await steps.nth(0).getByRole('button', { name: 'Create a Pix payment' }).click();
    await steps.nth(1).getByRole('button', { name: 'Pay', exact: true }).click();
    await steps.nth(1).getByText('Paid', { exact: true }).waitFor();
    await steps.nth(2).getByRole('link', { name: 'transaction.paid' }).waitFor();
    await steps.nth(2).getByText('200').first().waitFor();
    await expect.poll(() => page.locator('.path > .done').count()).toBe(3);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    ['en-US', 'Create a boleto payment', 'Move the clock past the due date', 'Pay', 'Expired', 'Paid'],
    ['pt-BR', 'Criar um boleto', 'Avançar além do vencimento', 'Pagar', 'Expirado', 'Pago'],
  ])(
    'pays a boleto after its due date in four clicks, and shows the shop’s webhook: %s',
    async (locale, create, move, pay, expired, paid) => {
      const { url } = await startReceiver();
      const endpoint = sandbox.webhooks.register({ url });
      const { page, complaints, close } = await open('', { locale, viewport: phone });
      const steps = page.locator('.path > li');
      await steps.nth(0).getByRole('radio', { name: 'Boleto' }).click();
      await steps.nth(0).getByRole('button', { name: create }).click();
      await steps.nth(1).getByRole('button', { name: move }).click();
      await steps.nth(1).getByText(expired, { exact: true }).waitFor();
      await steps.nth(1).getByRole('button', { name: pay, exact: true }).click();
      await steps.nth(1).getByText(paid, { exact: true }).waitFor();
      await steps.nth(2).getByRole('link', { name: 'transaction.paid' }).first().waitFor();
      await expectNoOverflow(page, 'start');
      sandbox.control.webhooks.remove(endpoint.id);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('shows the message about a wrong duration, which the clock would hide', async () => {
    const { page, close } = await open();
    await page.locator('details.clock > summary').click();
    await page.getByLabel('Another duration').fill('tomorrow');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.locator('.message').waitFor();
    expect(await page.locator('details.clock[open]').count()).toBe(0);
    await close();
  });

  test.each([
    ['en-US', ['Paid', 'Under review', 'Outcome unknown', 'Declined']],
    ['pt-BR', ['Pago', 'Em análise', 'Resultado desconhecido', 'Recusado']],
  ])('lists every test card once, in groups by outcome: %s', async (locale, names) => {
    const { page, complaints, close } = await open('', { locale });
    expect(await page.locator('.card-group h3').allTextContents()).toEqual(names);
    const numbers = await page.locator('.card-group .mono').allTextContents();
    expect(numbers.map((number) => number.replaceAll(' ', '')).sort()).toEqual(
      Object.values(testCards).sort(),
    );
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    ['a person', 'Register a sample person', 'Person (PF)'],
    ['a company', 'Register a sample company', 'Company (PJ)'],
  ])('has a sellers’ view with a button that registers %s', async (_, button, kind) => {
    const { page, complaints, close } = await open('#/sellers');
    await page.getByRole('button', { name: button }).click();
    const row = page.getByRole('table', { name: 'Registrations' }).getByRole('row', { name: kind });
    await row.getByRole('link', { name: 'Ana Souza' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('.title').getByText('approved', { exact: true }).waitFor();
    await go(page, '#/sellers');
    await page.getByRole('table', { name: 'Sub-accounts' }).getByText('Ana Souza').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('explains why a sample registration was rejected', async () => {
    sandbox.faults.add({ fault: { status: 503 }, operation: 'onboarding.submitPf' });
    const { page, close } = await open('#/sellers', { locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Cadastrar pessoa de exemplo' }).click();
    const message = page.getByRole('alert');
    await message.getByText('A requisição foi rejeitada. Nada foi criado.').waitFor();
    await message.getByText('The request got a 503').waitFor();
    await close();
  });
});
