import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedFacts, type Facts } from '../../../tools/environments/sandbox-journey.js';
import { browserForTests, hasChromium } from '../page/browser.js';

const root = new URL('../../../', import.meta.url).pathname;

/** Bundles the journey as one script, with the browser variants. */
async function bundledJourney() {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import { sandboxJourney } from '../../../tools/environments/sandbox-journey.js';
        globalThis.sandboxJourney = sandboxJourney;`,
      resolveDir: import.meta.dirname ?? new URL('.', import.meta.url).pathname,
      loader: 'ts',
    },
    alias: {
      'payment-platform/sandbox': `${root}sandbox/index.ts`,
      'payment-platform/testing': `${root}sandbox/testing/index.ts`,
      'payment-platform/webhooks': `${root}src/webhooks/index.ts`,
      'payment-platform': `${root}src/index.ts`,
    },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'import'],
    external: ['node:*'],
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return { script: outputFiles[0]?.text ?? '', imports };
}

let bundle: Awaited<ReturnType<typeof bundledJourney>>;
beforeAll(async () => {
  bundle = await bundledJourney();
});

test('the build for browsers imports nothing', () => {
  expect(bundle.imports).toEqual([]);
  expect(bundle.script.length).toBeGreaterThan(100_000);
});

describe.skipIf(!hasChromium)('the sandbox’s browser build in Chromium', () => {
  const browser = browserForTests();
  const server = createServer((request, response) => {
    const isScript = request.url === '/journey.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? bundle.script : '<script type="module" src="journey.js"></script>');
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());

  /** Opens the page. `requests` lists the requests that the page sends from then on. */
  async function openPage() {
    const page = await browser().newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      waitUntil: 'networkidle',
    });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    return { page, requests };
  }

  test('lets a client in a web page work as in Node, without a network request', async () => {
    const { page, requests } = await openPage();
    const facts = await page.evaluate<Facts>('sandboxJourney()');
    expect(facts).toEqual(expectedFacts);
    expect(requests).toEqual([]);
    await page.close();
  });

  test('works with its client in a web page’s Worker', async () => {
    const { page, requests } = await openPage();
    const facts = await page.evaluate<Facts>(`new Promise((resolve, reject) => {
      const source = "import '" + location.href + "journey.js'; sandboxJourney().then(postMessage, (error) => postMessage(String(error.stack)));";
      const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`);
    expect(facts).toEqual(expectedFacts);
    expect(requests.filter((url) => !url.endsWith('/journey.js') && !url.startsWith('blob:'))).toEqual([]);
    await page.close();
  });
});
