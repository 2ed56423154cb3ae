import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** If Chromium is missing, the tests are skipped by name. */
export const hasChromium = existsSync(executablePath);

/** A folder for screenshots; undefined disables screenshots. */
const shots = process.env.SCREENSHOTS;

/** Starts one browser for a file's tests. */
export function browserForTests(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser?.close());
  return () => browser as Browser;
}

export interface Visit {
  readonly page: Page;
  /** Warnings and errors from the console, including violations of the CSP, and requests to other servers. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };
export const narrow = { width: 360, height: 740 };

/** Opens the page of a sandbox, and waits for the view's data. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: desktop,
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) complaints.push(request.url());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  await page.goto(url);
  await waitForData(page);
  await page.locator('.connection.live').waitFor();
  return { page, complaints, close: () => context.close() };
}

export async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** Expects that the page does not scroll sideways. On a phone, a page must scroll in one direction only. */
export async function expectNoOverflow(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect([name, overflow]).toEqual([name, 0]);
}

/** Opens a view, such as `#/payments`, and waits for its data. */
export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const [path = ''] = hash.slice(2).split('?');
  const [section = '', id = ''] = path.split('/').map(decodeURIComponent);
  await page.locator(`main[data-view=${JSON.stringify(`${section}/${id}`)}]`).waitFor();
  await waitForData(page);
}

/** The title is in every view, before its data too. */
async function waitForData(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('.loading').count()).toBe(0);
}
