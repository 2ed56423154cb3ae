import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../index.js';
import { call, form, keyNo, naturalPerson, onboard, pay, pix, startOfYear } from '../support.js';
import { browserForTests, expectNoOverflow, go, hasChromium, narrow, visit } from './browser.js';

const texts = {
  image: '<img src=x onerror="document.title=`run`">',
  script: '"><script>document.title=`run`</script>',
  url: 'javascript:document.title=`run`',
  turned: 'safe\u202egnp.exe',
  long: 'x'.repeat(10_000),
};

describe.skipIf(!hasChromium)('a merchant’s string on the page', () => {
  const browser = browserForTests();
  let sandbox: Sandbox;
  let server: SandboxServer;
  beforeAll(async () => {
    sandbox = createSandbox({ now: startOfYear, clientId: texts.image });
    server = await sandbox.listen();
  });
  afterAll(() => sandbox?.close());

  /** Writes a string wherever a merchant can, and returns the views that show the string. */
  async function write(text: string, number: number): Promise<string[]> {
    const payment = await pay(
      server,
      pix({
        externalId: text,
        customer: {
          name: text,
          email: 'maria@example.com',
          document: { number: '12345678909', type: 'cpf' },
        },
        items: [{ title: text, quantity: 1, unitPrice: 1_990 }],
      }),
      keyNo(number),
    );
    const { body, status } = await onboard(
      server,
      {
        ...naturalPerson,
        // The API limits these fields to 255 characters.
        fullName: text.slice(0, 255),
        addressStreet: text.slice(0, 255),
        selfie: new File(['<script>document.title=`run`</script>'], `${text.slice(0, 200)}.png`, {
          type: 'image/png',
        }),
        cnhCompleta: new File(['<script>document.title=`run`</script>'], text.slice(0, 200), {
          type: 'text/html',
        }),
      },
      keyNo(number + 1),
    );
    expect([payment.status, status, body.error]).toEqual([201, 202, undefined]);
    await call(server, '/v1/submerchants', {
      body: form({ documentNumber: '11144477735', fullName: text }),
      key: keyNo(number + 2),
    });
    await call(server, `/${encodeURIComponent(text)}`, { key: text.replace(/[^ -~]/g, '') });
    sandbox.control.onboarding.reject(String(body.registration_id), { reason: text });
    sandbox.faults.add({ fault: { status: 500, body: text }, nth: 1_000 });
    return [`#/payments/${payment.body.id}`, `#/sellers/${body.registration_id}`];
  }

  test('is shown as plain text in every view, and never runs or becomes a link', async () => {
    const written: [text: string, views: string[]][] = [];
    for (const [index, text] of Object.values(texts).entries()) {
      written.push([text, await write(text, 10 * (1 + index))]);
    }
    const { page, complaints, close } = await visit(browser(), `${server.url}/_sandbox/`, {
      viewport: narrow,
    });
    const check = async (view: string) => {
      await go(page, view);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      await expectNoOverflow(page, view);
      expect(await page.locator('main script, main [onerror], main [src="x"]').count()).toBe(0);
      const links = await page
        .locator('main a')
        .evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))));
      expect(links.filter((href) => !/^(#\/|payments\/|onboarding\/)/.test(href))).toEqual([]);
      expect(await page.title()).toMatch(/Sandbox$/);
    };
    for (const list of ['start', 'payments', 'sellers', 'journal', 'faults']) await check(`#/${list}`);
    for (const [text, views] of written) {
      const shown = text.replace('\u202e', '⟨U+202E⟩').slice(0, 200);
      for (const view of views) {
        await check(view);
        expect(await page.locator('main').textContent()).toContain(shown);
      }
      await check(`#/${encodeURIComponent(text)}`);
    }
    // The files are not pictures, so the browser reports a failure, and runs nothing.
    expect(complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([]);
    await close();
  });
});
