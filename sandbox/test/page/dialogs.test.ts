import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../index.js';
import { startOfYear } from '../support.js';
import { browserForTests, hasChromium, visit } from './browser.js';

describe.skipIf(!hasChromium)('a dialog of the page', () => {
  const browser = browserForTests();
  let sandbox: Sandbox;
  let server: SandboxServer;
  beforeAll(async () => {
    sandbox = createSandbox({ now: startOfYear });
    server = await sandbox.listen();
  });
  afterAll(() => sandbox?.close());

  const open = () => visit(browser(), `${server.url}/_sandbox/#/faults`);

  test('stays open if it was reopened before its close event arrived', async () => {
    const { page, complaints, close } = await open();
    const button = page.getByRole('button', { name: 'Another fault…' });
    await button.click();
    const isOpen = await page.evaluate(`(async () => {
      const dialog = document.querySelector('dialog[open]');
      const closed = new Promise((resolve) => dialog.addEventListener('close', resolve));
      dialog.close();
      document.querySelector('[aria-haspopup=dialog]').click();
      await closed;
      await new Promise(requestAnimationFrame);
      return document.querySelector('dialog')?.open === true;
    })()`);
    expect(isOpen).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  test('sends only one request if Enter is pressed twice, and a late response does not close a newer dialog', async () => {
    const { page, complaints, close } = await open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let requests = 0;
    await page.route('**/_sandbox/faults', async (route) => {
      if (route.request().method() === 'POST') {
        requests += 1;
        await released;
      }
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Another fault…' });
    await button.click();
    await page.getByLabel('Delay').fill('7s');
    await page.getByLabel('Delay').press('Enter');
    await page.getByLabel('Delay').press('Enter');
    await page.keyboard.press('Escape');
    await button.click();
    expect(await page.getByLabel('Delay').inputValue()).toBe('');
    release();
    await expect.poll(() => sandbox.faults.pending.length).toBe(1);
    await page.getByText('affects 1 more request').waitFor({ state: 'attached' });
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    expect(requests).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });
});
