import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer, testCards } from '../../index.js';
import { keyNo, naturalPerson, onboard, openCard, pay, pix, startOfYear, startReceiver } from '../support.js';
import { browserForTests, go, hasChromium, visit } from './browser.js';

/** Reads the QR code on the page, as a phone's camera does. */
async function scanned(page: Page): Promise<string> {
  const code = page.locator('svg.qr');
  const cells = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  const scale = 8;
  const width = cells * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let index = start; index < start + scale * 4; index++) if (index % 4 !== 3) data[index] = 0;
    }
  }
  return decodeQR({ width, height: width, data });
}

describe.skipIf(!hasChromium)('a visitor to the page', () => {
  const browser = browserForTests();
  let sandbox: Sandbox;
  let server: SandboxServer;
  beforeAll(async () => {
    sandbox = createSandbox({ now: startOfYear });
    server = await sandbox.listen();
  });
  afterAll(() => sandbox?.close());

  const open = (hash = '', options = {}) => visit(browser(), `${server.url}/_sandbox/${hash}`, options);

  test('creates a Pix, pays it, sees its delivery arrive and resends it', async () => {
    const receiver = await startReceiver();
    const { page, complaints, close } = await open();
    await go(page, '#/webhooks');
    await page.getByText('No deliveries.').waitFor();
    await page.getByRole('button', { name: 'Register an endpoint…' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Webhook secret').fill('a webhook secret of a test');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText(receiver.url).waitFor();

    await go(page, '#/start');
    await page.getByRole('button', { name: 'Create a Pix payment' }).click();
    await page.getByRole('link', { name: 'Open the payment' }).click();
    await page.getByRole('img', { name: 'QR code of the Pix' }).waitFor();
    const id = sandbox.control.payments.list().at(-1)?.id ?? '';
    const { pix: code } = sandbox.control.payments.details(id);
    await page.getByText(code?.copyAndPaste ?? 'none', { exact: true }).waitFor();
    expect(await scanned(page)).toBe(code?.copyAndPaste);
    for (const name of ['Pay', 'Decline', 'Cancel', 'Expire']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1);
    }
    expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.locator('.timeline').getByText('Paid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Refund' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pay', exact: true }).count()).toBe(0);

    await go(page, '#/webhooks');
    const row = page.getByRole('row', { name: /transaction\.paid delivered/ });
    await row.getByRole('link', { name: 'transaction.paid' }).click();
    await page.getByText('x-service-signature').waitFor();
    const count = receiver.received.length;
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Resent as a new delivery.').waitFor();
    await receiver.until(count + 1);
    expect(receiver.received.at(-1)?.body).toBe(
      receiver.received.find(({ body }) => body.includes('"transaction.paid"'))?.body,
    );
    expect(complaints).toEqual([]);
    await close();
  });

  test('sees another program’s change without reloading the page, and refunds the payment', async () => {
    const { page, complaints, close } = await open('#/payments');
    const { body } = await pay(server, openCard());
    await page.locator(`a[href="#/payments/${body.id}"]`).click();
    await page.getByText('visa •••• 1111').waitFor();
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByText('Nothing more can happen').waitFor();
    expect(sandbox.control.payments.retrieve(String(body.id)).status).toBe('refunded');
    expect(complaints).toEqual([]);
    await close();
  });

  test('resolves an unknown outcome', async () => {
    await pay(server, openCard(testCards.unknown), keyNo(70));
    const { page, complaints, close } = await open('#/payments');
    await page.getByText(keyNo(70)).waitFor();
    await page.getByRole('button', { name: 'It was charged' }).click();
    await page.getByText(keyNo(70)).waitFor({ state: 'detached' });
    expect(sandbox.ledger.chargesFor(keyNo(70))).toHaveLength(1);
    expect(complaints).toEqual([]);
    await close();
  });

  test('sees the documents of sellers, approves one and allows another to try again', async () => {
    const first = String((await onboard(server, undefined, keyNo(71))).body.registration_id);
    const other = String(
      (await onboard(server, { ...naturalPerson, fullName: 'Ana' }, keyNo(72))).body.registration_id,
    );
    const { page, close } = await open(`#/sellers/${first}`);
    await page.getByRole('img', { name: 'selfie' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('.title').getByText('approved', { exact: true }).waitFor();
    await go(page, '#/sellers');
    await page.getByRole('table', { name: 'Sub-accounts' }).getByText('João da Silva').waitFor();
    await page.getByRole('link', { name: /Ana/ }).click();
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByLabel('Reason').fill('A blurred photo');
    await page.getByLabel('The seller can send documents again').check();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('A blurred photo').waitFor();
    expect(sandbox.control.onboarding.retrieve(other)).toMatchObject({
      status: 'rejected',
      can_resubmit: true,
    });
    await close();
  });

  test('advances the clock, and sees a Pix expire', async () => {
    const { body } = await pay(server, pix());
    const { page, complaints, close } = await open(`#/payments/${body.id}`);
    await page.locator('details.clock > summary').click();
    await page.getByRole('button', { name: 'Move the clock by 1 h' }).click();
    await page.locator('.timeline').getByText('expired').waitFor();
    await page.getByLabel('Another duration').fill('2d');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page
      .getByText(/^Jan 3, /)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('switches a fault on and off, and reads its effect on a request', async () => {
    const { page, complaints, close } = await open('#/faults');
    await page.getByRole('button', { name: '503 from a gateway' }).click();
    await page.getByText('affects 1 more request').waitFor();
    expect((await pay(server, pix({ amount: 4_321 }))).status).toBe(503);
    const none = page.getByText('No pending faults. Every request gets its response.');
    await none.waitFor();
    await page.getByRole('button', { name: 'Executed, response lost' }).click();
    await page.getByRole('button', { name: 'HTML instead of JSON' }).click();
    await page.getByRole('button', { name: 'Remove: 2' }).click();
    await page.getByRole('list', { name: 'Pending faults' }).getByText('HTML instead of JSON').waitFor();
    await page.getByRole('button', { name: 'Remove all' }).click();
    await none.waitFor();
    await page.getByRole('button', { name: 'Arrives twice' }).click();
    await page.getByText('affects 1 more delivery').waitFor();
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('Every delivery arrives unchanged').waitFor();
    expect([sandbox.faults.pending, sandbox.webhooks.faults.pending]).toEqual([[], []]);
    await go(page, '#/journal');
    await page.getByRole('row', { name: /503/ }).getByRole('link').first().click();
    await page.getByText('"amount": 4321').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('reads the page in the browser’s language, or in a chosen language that survives a reload', async () => {
    const { page, complaints, close } = await open('', { locale: 'pt-BR' });
    await page.getByRole('heading', { name: 'Seu primeiro pagamento' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    await go(page, '#/payments');
    await page.getByText('R$ 19,90').first().waitFor();
    await page.getByLabel('Idioma').selectOption('en');
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('pays a Pix and rejects a seller by keyboard', async () => {
    const registered = await onboard(server, { ...naturalPerson, fullName: 'Teclado' }, keyNo(73));
    const { page, complaints, close } = await open('#/start');
    const focused = () => page.locator(':focus').first();
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        const text =
          (await focused()
            .textContent()
            .catch(() => '')) ?? '';
        if (text.trim() === name) return;
      }
      throw new Error(`The keyboard does not reach ${name}.`);
    };
    await page.keyboard.press('Tab');
    await expect.poll(() => focused().textContent()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.locator('main:focus').waitFor();
    await tabTo('Create a Pix payment');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pay', exact: true }).waitFor();
    await tabTo('Pay');
    await page.keyboard.press('Space');
    await page.locator('.path').getByText('Paid', { exact: true }).waitFor();

    await go(page, `#/sellers/${registered.body.registration_id}`);
    await tabTo('Reject…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused().textContent()).toBe('Reject…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('no light');
    await tabTo('Reject');
    await page.keyboard.press('Enter');
    await page.getByText('no light').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('starts the verification of a domain, creates a certificate and enables a product', async () => {
    const receiver = await startReceiver(() => 404);
    const platform = sandbox.clientOptions();
    await platform.fetch(`${platform.baseUrl}/v1/payment-method-domains`, {
      method: 'POST',
      body: JSON.stringify({ domainName: 'shop.example' }),
      headers: {
        'content-type': 'application/json',
        'client-id': platform.clientId,
        'client-secret': platform.clientSecret,
      },
    });
    const { page, complaints, close } = await open('#/wallets');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByLabel('Fetch the file from').fill(new URL(receiver.url).origin);
    await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();
    await page.getByText('responded with 404').waitFor();
    await page.getByRole('button', { name: 'Create a record' }).click();
    await page.locator('.row-details > summary').click();
    await page.getByRole('button', { name: 'Issue the certificate' }).click();
    await page.getByText('BEGIN CERTIFICATE-----').waitFor();
    await go(page, '#/start');
    await page.getByLabel('Split rules').check();
    await expect.poll(() => sandbox.control.features.list()[0]?.features.split).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  test('sees when the sandbox stops responding, and when it is back', async () => {
    const other = createSandbox({ now: startOfYear });
    const first = await other.listen();
    const { page, close } = await visit(browser(), `${first.url}/_sandbox/`);
    await first.close();
    await page.getByText('The sandbox does not respond.').waitFor();
    await other.listen({ port: first.port });
    await page.getByText('The sandbox does not respond.').waitFor({ state: 'detached' });
    await page.locator('.connection.live').waitFor();
    await close();
    await other.close();
  });

  test('removes an endpoint, and resets the sandbox', async () => {
    const other = createSandbox({ now: startOfYear });
    const first = await other.listen();
    other.webhooks.register({ url: 'http://127.0.0.1:9/hook' });
    await pay(first, pix());
    const { page, complaints, close } = await visit(browser(), `${first.url}/_sandbox/#/webhooks`);
    await page.getByRole('button', { name: 'Remove http://127.0.0.1:9/hook' }).click();
    await page.getByRole('button', { name: /^Remove/ }).waitFor({ state: 'detached' });
    await go(page, '#/start');
    await page.getByRole('button', { name: 'Reset…' }).click();
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([other.webhooks.endpoints, other.ledger.charges]).toEqual([[], []]);
    expect(complaints).toEqual([]);
    await close();
    await other.close();
  });
});
