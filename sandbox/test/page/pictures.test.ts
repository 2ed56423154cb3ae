import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserForTests, go, hasChromium, visit } from './browser.js';
import { type Seeded, seeded } from './seeded.js';

const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/**
 * The README's and the site's pictures. `PICTURES=1 npx vitest run sandbox/test/page/pictures` regenerates
 * them.
 */
const pictures = (['en-US', 'pt-BR'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    locale,
    colorScheme,
    path: `${folder}sandbox${locale === 'pt-BR' ? '.pt' : ''}${colorScheme === 'dark' ? '.dark' : ''}.png`,
  })),
);

test.each(pictures)('the screenshot in the documentation exists: $locale, $colorScheme', ({ path }) => {
  expect(existsSync(path)).toBe(true);
});

function makePictures(): void {
  const browser = browserForTests();
  let input: Seeded;
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    input = await seeded();
  });
  afterAll(() => input?.sandbox.close());

  test.each(pictures)(
    'the browser can make a new screenshot for the documentation: $locale, $colorScheme',
    async ({ locale, colorScheme, path }) => {
      const { page, close } = await visit(browser(), `${input.server.url}/_sandbox/`, {
        viewport: { width: 1180, height: 980 },
        locale,
        colorScheme,
      });
      await go(page, input.views.pix ?? '');
      await page.screenshot({ path });
      await close();
    },
  );
}

if (hasChromium && process.env.PICTURES !== undefined) describe('a Pix on the page', makePictures);
