import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageNames, sections } from '../contents.js';
import { serve } from './served.js';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const paths = ['', 'pt/'].flatMap((prefix) => ['', ...pageNames].map((name) => `/${prefix}${name}`));

/** With `AXE=all`, axe checks every page in every look, which takes minutes. */
const isWhole = process.env.AXE === 'all';

const chosen = new Set([
  '',
  'first-pix',
  'cards',
  'any-language',
  'webhooks',
  'methods',
  'errors',
  'sandbox-defaults',
  'go-live',
  'architecture',
  'questions',
]);
const looked = isWhole ? paths : paths.filter((path) => chosen.has(path.replace(/^\/(pt\/)?/, '')));

const desktop = { width: 1360, height: 900 };
const phone = { width: 390, height: 844 };
/** Colours depend on the scheme alone, and the layout on the width. */
const looks = [
  { colorScheme: 'light', viewport: desktop },
  { colorScheme: 'dark', viewport: phone },
  ...(isWhole
    ? [
        { colorScheme: 'light', viewport: phone },
        { colorScheme: 'dark', viewport: desktop },
      ]
    : []),
] as const;

describe.skipIf(!existsSync(executablePath))('the site in Chromium', () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    site = await serve();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser?.close();
    site?.server.close();
  });

  const listed = sections.filter(({ isForMaintainers }) => !isForMaintainers).flatMap(({ pages }) => pages);

  /** Opens each page of a language once, and looks at it at all widths. */
  async function visit(prefix: string) {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const problems: string[] = [];
    const wide: string[] = [];
    const hidden: string[] = [];
    const links = new Map<string, string>();
    const anchors = new Map<string, ReadonlySet<string>>();
    let at = '';
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(`${at}: ${message.text()}`);
    });
    page.on('pageerror', ({ message }) => problems.push(`${at}: ${message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url) && !request.url().startsWith('data:'))
        problems.push(`${at} asks ${request.url()}`);
    });
    for (const name of ['', ...pageNames]) {
      at = `/${prefix}${name}`;
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(site.url + at, { waitUntil: 'load' });
      const seen = await page.evaluate(() => ({
        ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
        links: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href),
        broken: [...document.images]
          .filter((image) => image.complete && image.naturalWidth === 0)
          .map(({ src }) => src),
      }));
      anchors.set(at, new Set(seen.ids));
      for (const link of seen.links) links.set(link, at);
      for (const image of seen.broken) problems.push(`${at}: ${image} isn't an image`);
      if (listed.includes(name)) {
        const entry = page.locator('.VPSidebar .is-link.is-active').first();
        await entry.waitFor();
        const { y = -1, height = 0 } = (await entry.boundingBox()) ?? {};
        if (y < 0 || y + height > 800) hidden.push(`${at}: ${y} to ${y + height} px`);
      }
      for (const width of [1_280, 1_024, 390, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const { pixels, tables, samples } = await page.evaluate(() => {
          const countScrolling = (selector: string, allowed: number) =>
            [...document.querySelectorAll(selector)].filter(
              ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + allowed,
            ).length;
          return {
            pixels: document.documentElement.scrollWidth,
            tables: countScrolling('.vp-doc table', 0),
            samples: countScrolling('.vp-doc pre', 1),
          };
        });
        if (pixels !== width) wide.push(`${at} at ${width}: ${pixels} px`);
        if (samples > 0) wide.push(`${at} at ${width}: ${samples} samples scroll sideways`);
        if (tables > 0) wide.push(`${at} at ${width}: ${tables} tables scroll sideways`);
      }
    }
    await context.close();
    return { problems, wide, hidden, links, anchors };
  }
  let visits: ReturnType<typeof visitAll> | undefined;
  const visitAll = () => Promise.all(['', 'pt/'].map(visit));
  const visited = () => (visits ??= visitAll());

  test('the sidebar shows the entry of the current page', async () => {
    expect((await visited()).flatMap(({ hidden }) => hidden)).toEqual([]);
  }, 600_000);

  test('every page loads without a problem or a request to another server', async () => {
    expect((await visited()).flatMap(({ problems }) => problems)).toEqual([]);
  }, 600_000);

  test('no page or sample is wider than a screen of 360, 390, 1024 or 1280 px, and no table scrolls, in both languages', async () => {
    expect((await visited()).flatMap(({ wide }) => wide)).toEqual([]);
  }, 600_000);

  test('no link or anchor is dead, and none leads to another server', async () => {
    const all = await visited();
    const anchors = new Map(all.flatMap((language) => [...language.anchors]));
    const dead: string[] = [];
    for (const [link, from] of all.flatMap(({ links }) => [...links])) {
      const { origin, pathname, hash } = new URL(link);
      if (origin !== site.url) dead.push(`${from} leads to ${link}`);
      const ids = anchors.get(pathname.replace(/\.html$/, ''));
      if (ids === undefined) {
        const { ok } = await fetch(origin + pathname);
        if (!ok) dead.push(`${from}: ${link} is dead`);
      } else if (hash !== '' && !ids.has(decodeURIComponent(hash.slice(1))))
        dead.push(`${from}: ${link} has no such anchor`);
    }
    expect(dead).toEqual([]);
  }, 600_000);

  test.each(looks)(
    'axe finds no violation in $colorScheme mode at $viewport.width px',
    async ({ colorScheme, viewport }) => {
      const context = await browser.newContext({
        colorScheme,
        viewport,
        locale: 'en-US',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const found: string[] = [];
      for (const path of looked) {
        await page.goto(site.url + path, { waitUntil: 'load' });
        await page.evaluate(axe);
        const { violations } = (await page.evaluate(
          "axe.run({ resultTypes: ['violations'] })",
        )) as AxeResults;
        for (const { id, nodes } of violations)
          found.push(...nodes.slice(0, 3).map(({ html }) => `${path} ${id}: ${html.slice(0, 160)}`));
      }
      expect(found).toEqual([]);
      await context.close();
    },
    900_000,
  );

  test('the start page transfers at most 150 kB without pictures, compressed', async () => {
    const page = await browser.newPage({ locale: 'en-US' });
    const bodies: number[] = [];
    const waiting: Promise<void>[] = [];
    page.on('response', (response) => {
      if (/\.(png|svg)$/.test(new URL(response.url()).pathname)) return;
      waiting.push(
        response.body().then(
          (body) => void bodies.push(gzipSync(body).length),
          () => {},
        ),
      );
    });
    await page.goto(site.url, { waitUntil: 'networkidle' });
    await Promise.all(waiting);
    const kB = bodies.reduce((sum, length) => sum + length, 0) / 1000;
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
    process.stdout.write(`start page: ${kB.toFixed(1)} kB, first contentful paint ${paint.toFixed(0)} ms\n`);
    expect(kB).toBeLessThanOrEqual(150);
    await page.close();
  });

  test('a Portuguese browser opens the page in Portuguese, and the site remembers another choice', async () => {
    const context = await browser.newContext({ locale: 'pt-BR' });
    const page = await context.newPage();
    await page.goto(`${site.url}/boleto`);
    await page.waitForURL('**/pt/boleto');
    await page.locator('.VPNavBarTranslations button').hover();
    await page.locator('.VPNavBarTranslations a', { hasText: 'English' }).click();
    await page.waitForURL(`${site.url}/boleto`);
    // The URL changes before the choice is stored.
    await page.waitForFunction("localStorage.getItem('language') === 'en'");
    await page.goto(`${site.url}/cards`);
    expect(new URL(page.url()).pathname).toBe('/cards');
    await context.close();
  });

  test('a Portuguese page has Portuguese titles on its callouts', async () => {
    const page = await browser.newPage({ locale: 'pt-BR' });
    await page.goto(`${site.url}/pt/pix`);
    const titles = await page.locator('.custom-block-title').allTextContents();
    expect(titles).toContain('ATENÇÃO');
    expect(titles.filter((title) => /note|warning/i.test(title))).toEqual([]);
    await page.close();
  });

  test.each(['/first-pix', '/pt/first-pix'])(
    'the samples of %s run offline, draw the Pix QR code and show the response bodies',
    async (path) => {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      const loading = page.waitForResponse((response) => response.url().includes('run-in-page'));
      await page.locator('.sample-bar button').first().hover();
      await page.locator('.sample-bar button').first().click();
      await loading;
      await page.locator('.sample-output .end').first().waitFor();
      // Runs again without a network, because everything it needs is in the page.
      await context.setOffline(true);
      await page.locator('.sample-bar button').first().click();
      await expect
        .poll(() => page.locator('.sample-output').first().textContent(), { timeout: 120_000 })
        .toMatch(/POST \/v1\/payments → 201[\s\S]*paid/);
      expect(await page.locator('.sample-output .sample-qr').count()).toBe(1);
      await page.locator('.sample-bar button').nth(1).click();
      await expect
        .poll(() => page.locator('.sample-output').nth(1).textContent(), { timeout: 120_000 })
        .toMatch(/transaction\.paid → 200/);
      expect(await page.locator('.sample-output').nth(1).textContent()).toContain('ship order-1042');
      await page.locator('.sample-output details.webhook summary').first().click();
      await expect
        .poll(() => page.locator('.sample-output details[open] pre').first().textContent())
        .toContain('"event": "transaction.waiting_payment"');
      const button = await page.locator('.sample-bar button').first().boundingBox();
      expect(button?.y, 'the button is on the first screen of a phone').toBeLessThan(844);
      await context.close();
    },
  );

  test.each(
    (['', 'pt/'] as const).flatMap((prefix) =>
      ([390, 1_280] as const).flatMap((width) =>
        (['light', 'dark'] as const).map((colorScheme) => ({ prefix, width, colorScheme })),
      ),
    ),
  )(
    'the search of /$prefix is an accessible dialog with a list of results at $width px in $colorScheme mode',
    async ({ prefix, width, colorScheme }) => {
      const page = await browser.newPage({
        viewport: { width, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en-US',
      });
      await page.goto(`${site.url}/${prefix}introduction`, { waitUntil: 'networkidle' });
      const name = prefix === '' ? 'Search' : 'Buscar';
      const button = page.locator('.VPNavBarSearch button');
      await button.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name });
      const input = dialog.getByRole('combobox', { name });
      await expect.poll(() => input.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await input.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.type(prefix === '' ? 'payout seller' : 'sacar dinheiro do vendedor');
      const results = dialog.getByRole('listbox').getByRole('option');
      await results.nth(2).waitFor();
      expect(await dialog.getByRole('status').innerText()).toMatch(/^\d+ result/);
      expect(await input.getAttribute('aria-expanded')).toBe('true');
      const active = async () => {
        const id = await input.getAttribute('aria-activedescendant');
        const chosen = dialog.locator('[aria-selected="true"]');
        expect([await chosen.count(), await chosen.getAttribute('id')]).toEqual([1, id]);
        return id;
      };
      const first = await active();
      await page.keyboard.press('ArrowDown');
      const second = await active();
      expect(second).not.toBe(first);
      await page.keyboard.press('ArrowUp');
      expect(await active()).toBe(first);
      await page.keyboard.press('ArrowUp');
      expect(await active()).toBe(await results.last().getAttribute('id'));
      expect(await dialog.locator('.excerpt mark').allInnerTexts()).toContainEqual(
        expect.stringMatching(prefix === '' ? /^withdraw(al)?s?$/i : /^saques?$/i),
      );
      const hidden = await dialog
        .locator('.excerpt')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
      expect(hidden).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.evaluate(axe);
      const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.close();
    },
  );

  test('the search opens the chosen section with Enter, and finds a page by a synonym', async () => {
    const page = await browser.newPage({ locale: 'pt-BR' });
    await page.goto(`${site.url}/pt/introduction`, { waitUntil: 'networkidle' });
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('reembolso');
    const first = page.getByRole('option').first();
    await first.waitFor();
    expect(await first.getAttribute('href')).toMatch(/^\/pt\/(refunds|questions)/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/pt\/(refunds|questions)/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.close();
  });

  test.each(['/any-language', '/pt/receivers'])('each tab of %s shows only its own program', async (path) => {
    const page = await browser.newPage({ locale: 'en-US' });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    const group = page.locator('.vp-code-group').first();
    const shown = () => group.locator('.blocks > div:visible');
    expect(await shown().count()).toBe(1);
    const before = await shown().textContent();
    await group.locator('label').nth(1).click();
    expect(await shown().count()).toBe(1);
    expect(await shown().textContent()).not.toBe(before);
    await page.close();
  });

  test("a link to a library's section shows its tab in each group of the page", async () => {
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 360, height: 780 } });
    await page.goto(`${site.url}/orm-transactions#prisma`, { waitUntil: 'networkidle' });
    const groups = await page.locator('.section-tabs').all();
    expect(groups).toHaveLength(2);
    for (const group of groups) {
      await expect.poll(() => group.locator('.blocks > div:visible').textContent()).toContain('PrismaPg');
      expect(await group.locator('.blocks > div:visible').count()).toBe(1);
    }
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
    await groups[1]?.locator('label', { hasText: 'Knex' }).click();
    await expect.poll(() => groups[0]?.locator('.blocks > div:visible').textContent()).toContain('knex(');
    await page.close();
  });

  test.each([
    ['/sandbox-defaults', 'delivery'],
    ['/pt/sandbox-defaults', 'BOLETO vencimento'],
    ['/messages', 'idempotency key'],
    ['/pt/options-client', 'requisicao'],
  ])('the filter of %s shows only the entries with the words %j', async (path, words) => {
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 390, height: 780 } });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    const entries = page.locator('.filter ~ h3, .filter ~ table tbody tr, .filter ~ ul > li');
    const countShown = () => entries.locator('visible=true').count();
    const all = await entries.count();
    expect(all).toBeGreaterThan(20);
    const before = await countShown();
    await page.locator('.filter input').fill(words);
    await expect
      .poll(() => page.locator('.filter [role=status]').textContent())
      .toMatch(/^[1-9]\d* (of|de) /);
    const shown = Number.parseInt((await page.locator('.filter [role=status]').textContent()) ?? '', 10);
    expect(shown).toBeLessThan(all / 2);
    expect(await countShown()).toBe(shown);
    expect(await page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(390);
    const chapters = await page.locator('.filter ~ :is(h3, p, ul, table)').allInnerTexts();
    const visible = chapters.join(' ').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const found = words
      .toLowerCase()
      .split(' ')
      .map((word) => visible.split(word).length - 1);
    expect(Math.min(...found), 'every shown entry contains every word').toBeGreaterThanOrEqual(shown);
    await page.locator('.filter input').fill('');
    await expect.poll(countShown).toBe(before);
    await page.close();
  });

  test.each(['', 'pt/'])(
    'a long page of /%s shows its headings on a phone, and a link opens its section',
    async (prefix) => {
      const page = await browser.newPage({ locale: 'en-US', viewport: { width: 390, height: 800 } });
      for (const name of [
        'sandbox-defaults',
        'messages',
        'fault-model',
        'methods-payments',
        'command',
        'any-language',
      ]) {
        await page.goto(`${site.url}/${prefix}${name}`, { waitUntil: 'networkidle' });
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollHeight), { message: name })
          .toBeLessThan(10_000);
      }
      await page.goto(`${site.url}/${prefix}sandbox-defaults`, { waitUntil: 'networkidle' });
      const id = await page.locator('.filter ~ h3').nth(30).getAttribute('id');
      await page.goto(`${site.url}/${prefix}sandbox-defaults#${id}`, { waitUntil: 'networkidle' });
      await page.reload({ waitUntil: 'networkidle' });
      const text = page.locator(`#${id} + *`);
      await text.waitFor();
      const toggle = page.locator(`#${id} .fold`);
      expect(await toggle.getAttribute('aria-expanded')).toBe('true');
      await toggle.click();
      await expect.poll(() => text.isVisible()).toBe(false);
      await page.close();
    },
  );

  test('a link to an entry that the filter hides shows all entries', async () => {
    const page = await browser.newPage({ locale: 'en-US' });
    await page.goto(`${site.url}/sandbox-defaults`, { waitUntil: 'networkidle' });
    const entry = page.locator('#upsell-token');
    await page.locator('.filter input').fill('certificate');
    await expect.poll(() => entry.isVisible()).toBe(false);
    await page.locator('.VPDocAsideOutline a[href="#upsell-token"]').click();
    await expect.poll(() => entry.isVisible()).toBe(true);
    await expect.poll(async () => (await entry.boundingBox())?.y).toBeLessThan(300);
    await page.close();
  });
});

test('every page exists in both languages', () => {
  const folder = fileURLToPath(new URL('../dist/', import.meta.url));
  for (const name of ['index', ...pageNames])
    for (const prefix of ['', 'pt/'])
      expect(statSync(`${folder}${prefix}${name}.html`).size).toBeGreaterThan(2000);
});
