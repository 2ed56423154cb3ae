import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  browserForTests,
  desktop,
  expectNoOverflow,
  go,
  hasChromium,
  narrow,
  phone,
  shoot,
  visit,
} from '../../../sandbox/test/page/browser.js';
import { type Seeded, seeded } from '../../../sandbox/test/page/seeded.js';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const all = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** Lists the accessibility rules that the page breaks, with the elements. */
async function violations(page: Page, only = all): Promise<string[]> {
  const results = (await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(only)}, resultTypes: ['violations'] })`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Another scheme changes only the colours. */
const contrast = { type: 'rule', values: ['color-contrast'] };

const looks = [
  { look: 'desktop-en', viewport: desktop, locale: 'en-US' },
  { look: 'phone-pt', viewport: phone, locale: 'pt-BR' },
  { look: 'narrow-pt', viewport: narrow, locale: 'pt-BR' },
] as const;

describe.skipIf(!hasChromium)('the page in Chromium', () => {
  const browser = browserForTests();
  let fixture: Seeded;
  beforeAll(async () => {
    fixture = await seeded();
  });
  afterAll(() => fixture?.sandbox.close());

  test.each(looks)(
    'shows every view accessibly, within the window, without errors and external requests: $look',
    async ({ look, viewport, locale }) => {
      const { page, complaints, close } = await visit(browser(), `${fixture.server.url}/_sandbox/`, {
        viewport,
        locale,
      });
      // The script runs through the protocol, because the page's policy forbids scripts inside the page.
      await page.evaluate(axe);
      const broken: Record<string, string[]> = {};
      for (const [name, hash] of Object.entries(fixture.views)) {
        await go(page, hash);
        await page.evaluate(
          "document.querySelector('.row-details')?.setAttribute('open', ''), document.activeElement?.blur()",
        );
        if (name === 'start') await page.locator('details.clock > summary').click();
        await expectNoOverflow(page, name);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const found = await violations(page, colorScheme === 'light' ? all : contrast);
          if (found.length > 0) broken[`${name}, ${colorScheme}`] = found;
          await shoot(page, `${look}-${colorScheme}-${name}`);
        }
      }
      expect(broken).toEqual({});
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('has accessible dialogs', async () => {
    const { page, complaints, close } = await visit(browser(), `${fixture.server.url}/_sandbox/#/faults`);
    await page.evaluate(axe);
    await page.getByRole('button', { name: 'Another fault…' }).click();
    await page.getByRole('dialog', { name: 'Another fault' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'desktop-dialog');
    expect(complaints).toEqual([]);
    await close();
  });
});
