import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, defaults, type Sandbox, type SandboxServer, testCards } from '../../index.js';
import translations from '../../page/app/defaults.pt.json' with { type: 'json' };
import { keyNo, openCard, pay, pix, startOfYear, startReceiver } from '../support.js';
import { browserForTests, desktop, go, hasChromium, narrow, visit } from './browser.js';

describe.skipIf(!hasChromium)('a list of the page', () => {
  const browser = browserForTests();
  let sandbox: Sandbox;
  let server: SandboxServer;
  let id: string;
  beforeAll(async () => {
    sandbox = createSandbox({ now: startOfYear });
    server = await sandbox.listen();
    await pay(server, pix({ externalId: 'pedido-1043', amount: 1_000 }), keyNo(1043));
    id = String((await pay(server, pix({ externalId: 'pedido-1042' }), keyNo(1042))).body.id);
  });
  afterAll(() => sandbox?.close());

  const open = (hash: string, options = {}) => visit(browser(), `${server.url}/_sandbox/${hash}`, options);

  test.each([
    ['order', () => 'pedido-1042'],
    ['idempotency key', () => keyNo(1042)],
    ['id', () => id],
    ['amount', () => 'R$ 19,90'],
  ])('finds a payment by its %s', async (_, searched) => {
    const { page, complaints, close } = await open('#/payments');
    await page.getByLabel('Search payments').fill(searched());
    await page.getByRole('button', { name: 'Search' }).click();
    const rows = page.getByRole('table', { name: 'Payments' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.getByText('pedido-1042').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('filters payments by the statuses that they have, each with its number of payments', async () => {
    await pay(server, openCard(testCards.approved, { externalId: 'pedido-1044' }), keyNo(1044));
    const { page, complaints, close } = await open('#/payments', { locale: 'pt-BR' });
    const filter = page.getByRole('navigation', { name: 'Status' });
    await filter.getByRole('link', { name: 'Pago 1' }).waitFor();
    expect(await filter.getByRole('link').allInnerTexts()).toEqual([
      'Todos',
      'Aguardando pagamento 2',
      'Pago 1',
    ]);
    await filter.getByRole('link', { name: 'Aguardando pagamento 2' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await page.getByLabel('Buscar pagamentos').fill('pedido-1042');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await filter.locator('[aria-current]').innerText()).toBe('Aguardando pagamento');
    await filter.getByRole('link', { name: 'Pago' }).click();
    await page.getByText('Nenhum pagamento encontrado.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('filters deliveries by the states that they have, each with its number of deliveries', async () => {
    const { url } = await startReceiver();
    sandbox.webhooks.register({ url });
    await pay(server, pix({ externalId: 'pedido-1045' }), keyNo(1045));
    await sandbox.webhooks.idle();
    const { page, complaints, close } = await open('#/webhooks', { locale: 'pt-BR' });
    const filter = page.getByRole('navigation', { name: 'Filtrar por status' });
    await filter.getByRole('link', { name: 'entregue 2' }).click();
    expect(await filter.getByRole('link').allInnerTexts()).toEqual(['todas', 'entregue 2']);
    expect(await page.getByRole('table', { name: 'Entregas' }).getByRole('row').count()).toBe(3);
    expect(complaints).toEqual([]);
    await close();
  });

  test('filters requests by whether they were rejected, with the number of rejected ones', async () => {
    await pay(server, pix({ amount: 1 }), keyNo(1046));
    const { page, complaints, close } = await open('#/journal', { locale: 'pt-BR' });
    const filter = page.getByRole('navigation', { name: 'Filtrar por resultado' });
    await filter.getByRole('link', { name: 'Rejeitadas 1' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await filter.locator('[aria-current]').innerText()).toBe('Rejeitadas 1');
    await filter.getByRole('link', { name: 'Todas' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(2);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    ['light', narrow],
    ['dark', desktop],
  ] as const)(
    'has selects with the border, the corners and the focus ring of an input, and with its own arrow: %s',
    async (colorScheme, viewport) => {
      sandbox.webhooks.register({ url: 'http://127.0.0.1:9/select' });
      const { page, complaints, close } = await open('#/webhooks', {
        colorScheme,
        viewport,
        locale: 'pt-BR',
      });
      const describe = (selector: string) =>
        page.evaluate(`(() => {
          const control = document.querySelector(${JSON.stringify(selector)});
          control.focus();
          const style = getComputedStyle(control);
          return [style.border, style.borderRadius, style.backgroundColor, style.outline, style.outlineOffset, style.minHeight];
        })()`);
      const select = page.getByLabel('Status do endpoint http://127.0.0.1:9/select');
      await select.waitFor();
      const [look, language] = [await describe('.endpoint select'), await describe('.language')];
      const ownLook = await page.evaluate(`(() => {
        const { appearance, backgroundImage } = getComputedStyle(document.querySelector('.endpoint select'));
        return [appearance, backgroundImage];
      })()`);
      expect(ownLook).toEqual(['none', expect.stringContaining('linear-gradient')]);
      await select.focus();
      await page.keyboard.type('Ina');
      await expect
        .poll(() => sandbox.webhooks.endpoints.find(({ endpoint }) => endpoint.endsWith('/select'))?.status)
        .toBe('inactive');
      expect(await select.locator('option').allInnerTexts()).toEqual([
        'Ativo',
        'Falhou',
        'Inativo',
        'Suspenso',
      ]);
      await go(page, '#/payments');
      expect([look, language]).toEqual([await describe('[type=search]'), await describe('[type=search]')]);
      const { id: endpoint = '' } =
        sandbox.webhooks.endpoints.find(({ endpoint }) => endpoint.endsWith('/select')) ?? {};
      sandbox.control.webhooks.remove(endpoint);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test.each([
    ['en-US', 'Waiting for payment'],
    ['pt-BR', 'Aguardando pagamento'],
  ])(
    'shows a status in the reader’s language with the API’s name under the pointer and on its own page: %s',
    async (locale, label) => {
      const { page, complaints, close } = await open('#/payments', { locale });
      const row = page.locator('tr', { hasText: 'pedido-1042' });
      for (const text of [label, 'R$ 19,90', '00:00:00']) {
        await row.getByText(text, { exact: true }).waitFor();
      }
      await row.getByTitle('waiting_payment', { exact: true }).waitFor();
      await row.getByRole('link').first().click();
      await page.locator('.title').getByText('waiting_payment', { exact: true }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('shows each value of an entry on its own line with its heading on a phone', async () => {
    const { page, complaints, close } = await open('#/payments', { viewport: narrow });
    await page.getByText('pedido-1042').waitFor();
    const lines = (await page.evaluate(
      `Array.from(document.querySelector('tbody tr').cells, (cell) =>
        [cell.offsetTop, getComputedStyle(cell, '::before').content])`,
    )) as [top: number, head: string][];
    const heads = lines.map(([, head]) => head);
    expect(heads.filter((head) => head !== 'none')).toEqual([
      '"Method"',
      '"Order"',
      '"Customer"',
      '"Created"',
    ]);
    const tops = lines.filter(([, head]) => head !== 'none').map(([top]) => top);
    expect(new Set(tops).size).toBe(4);
    expect(complaints).toEqual([]);
    await close();
  });

  test('shows the sandbox defaults in Portuguese, and filters them by Portuguese words', async () => {
    const { page, complaints, close } = await open('#/defaults', { locale: 'pt-BR' });
    await page
      .getByRole('heading', { level: 2, name: String(translations['Payment transitions'][0]) })
      .waitFor();
    const untranslated = defaults.map(({ why }) => why);
    const shown = await page.locator('.defaults article').allTextContents();
    expect(shown.length).toBe(defaults.length);
    expect(shown.filter((article) => untranslated.some((why) => article.includes(why)))).toEqual([]);
    await page.getByRole('searchbox').fill('entrega');
    await expect.poll(() => page.locator('.defaults article').count()).toBeLessThan(shown.length);
    expect(complaints).toEqual([]);
    await close();
  });

  test('filters the sandbox defaults, and jumps to a topic', async () => {
    const { page, complaints, close } = await open('#/defaults');
    const topics = page.getByRole('navigation', { name: 'Topics' }).getByRole('button');
    await topics.first().waitFor();
    const all = await topics.count();
    expect(all).toBe(await page.locator('.defaults article').count());
    await topics.last().click();
    const name = (await topics.last().textContent()) ?? '';
    expect(await page.locator(':focus').textContent()).toBe(name);
    await page.getByLabel('Filter the defaults').fill('resend delays');
    await expect.poll(() => topics.count()).toBeLessThan(5);
    await page.getByText('webhooks.resendDelays').waitFor();
    await page.getByLabel('Filter the defaults').fill('no such default');
    await page.getByText('No matching defaults.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
