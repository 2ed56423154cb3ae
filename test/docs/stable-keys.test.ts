import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { snippetLanguages, writeSnippet } from '../../sandbox/page/app/views/snippets.js';
import { builtCommand, Running } from '../../sandbox/test/cli/support.js';
import { unkeyedPayments } from '../support/unkeyed-payments.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Finds files. An example's node_modules can contain a link to the project, so they are not entered. */
const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(node_modules|\.blocks-.*)$/.test(entry.name) ? [] : filesIn(path, pattern);
    return pattern.test(entry.name) ? [path] : [];
  });

const readText = (path: string) => readFileSync(join(root, path), 'utf8');

/** Lists a page's code blocks and inline code. */
function samplesInMarkdown(text: string): { language: string; code: string }[] {
  const fence = /^[ \t]*(```+|~~~+)[ \t]*([\w+#-]*)[^\n]*\n(.*?)^[ \t]*\1/gms;
  const blocks = [...text.matchAll(fence)].map(([, , language = '', code = '']) => ({ language, code }));
  const inline = [...text.replace(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({
    language: 'ts',
    code,
  }));
  return [...blocks, ...inline];
}

/** Reads a source's doc comments without their asterisks. */
const docCommentsIn = (source: string) =>
  [...source.matchAll(/\/\*\*.*?\*\//gs)].map(([comment]) => comment.replace(/^[ \t]*\/?\*+\/? ?/gm, ''));

const unkeyedIn = (path: string, samples: readonly { language: string; code: string }[]) =>
  samples.flatMap(({ language, code }) => unkeyedPayments(language, code).map((line) => `${path}: ${line}`));

describe('every sample that creates a payment', () => {
  const pages = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...filesIn('docs', /\.md$/),
    ...filesIn('examples', /\.md$/),
  ];

  test('has a stable idempotency key in the README, the docs of both languages and the example pages', () => {
    const samples = pages
      .filter((path) => !/CHANGELOG/.test(path))
      .flatMap((path) => {
        const found = samplesInMarkdown(readText(path));
        return unkeyedIn(path, found);
      });
    expect(samples).toEqual([]);
  });

  test('has a stable idempotency key in the examples', () => {
    const found = filesIn('examples', /\.ts$/).flatMap((path) =>
      unkeyedIn(path, [{ language: 'ts', code: readText(path) }]),
    );
    // One chapter of the demo shows that the client never retries a call without a key.
    expect(found.filter((line) => !line.startsWith('examples/demo/main.ts'))).toEqual([]);
    expect(found).toHaveLength(1);
  });

  test('has a stable idempotency key in doc comments', () => {
    const found = [...filesIn('src', /\.tsx?$/), ...filesIn('sandbox', /^(?!test).*\.tsx?$/)].flatMap(
      (path) => unkeyedIn(path, docCommentsIn(readText(path)).flatMap(samplesInMarkdown)),
    );
    expect(found).toEqual([]);
  });

  test('has a stable idempotency key on the sandbox page, in each language', () => {
    const place = { baseUrl: 'http://127.0.0.1:4010', clientId: 'shop', clientSecret: 'a secret' };
    const samples = snippetLanguages.map((language) => ({
      language,
      code: writeSnippet(language, place, 'pix'),
    }));
    expect(samples.length).toBeGreaterThanOrEqual(4);
    for (const { code } of samples) expect(code).toContain('order-1042');
    expect(unkeyedIn('page', samples)).toEqual([]);
  });

  test('has a stable idempotency key in the sandbox’s start message', async () => {
    const process = new Running(await builtCommand(), ['sandbox', '--port', '0']);
    const lines = await process.until(/Ctrl-C/);
    await process.end();
    const code = lines.join('\n');
    expect(code).toContain('curl ');
    expect(unkeyedPayments('sh', code)).toEqual([]);
  });
});

describe('the search for samples whose idempotency key is missing or unstable', () => {
  const body = "{ externalId: 'order-1042', amount: 1990 }";

  test.each([
    ['ts', `await platform.payments.create(${body});`],
    ['ts', `await client?.payments.create(${body}, {});`],
    ['ts', `await platform.payments.create(${body}, { timeout: '5s' });`],
    ['ts', `await platform.payments.create(${body}, { idempotencyKey: null });`],
    ['ts', `await platform.payments.create(${body}, { idempotencyKey: crypto.randomUUID() });`],
    ['ts', `await platform.payments.create(${body}, { idempotencyKey: \`order-\${Date.now()}\` });`],
    [
      'js',
      `const idempotencyKey = uuid();\nconst options = { idempotencyKey };\npayments.create(${body}, options);`,
    ],
    ['tsx', `const id = randomUUID();\npayments.enqueue(${body}, { key: 'order-' + id, client });`],
    ['ts', `await fetch(url + "/v1/payments", { method: "POST", body });`],
    [
      'ts',
      "fetch(url + '/v1/payments', { method: 'POST', body, headers: { 'x-idempotency-key': crypto.randomUUID() } });",
    ],
    ['sh', "curl $url/v1/payments -d '{}'"],
    ['sh', 'curl $url/v1/payments -H "x-idempotency-key: $(uuidgen)" -d @order.json'],
    ['sh', 'key=$(openssl rand -hex 16)\ncurl $url/v1/payments -H "x-idempotency-key: $key" -d @order.json'],
    ['python', 'key = str(uuid.uuid4())\npost("/v1/payments", order, {"x-idempotency-key": key})'],
    ['php', "post('/v1/payments', ['x-idempotency-key' => uniqid()]);"],
    ['http', 'POST /v1/payments HTTP/1.1\ncontent-type: application/json'],
    ['go', 'http.Post(base+"/v1/payments", "application/json", body)'],
  ])('finds a payment without a stable key in %s: %s', (language, code) => {
    expect(unkeyedPayments(language, code)).toHaveLength(1);
  });

  test.each([
    ['ts', `await platform.payments.create(${body}, { idempotencyKey: 'order-1042' });`],
    ['ts', `await platform.payments.create(${body}, { idempotencyKey: order.id, timeout: '5s' });`],
    ['ts', `const options = { idempotencyKey: 'order-1042' };\npayments.create(${body}, options);`],
    ['ts', `await payments.create(${body}, { key: 'order-1042' });`],
    ['ts', 'await platform.webhooks.create({ webhook_url, events });'],
    ['ts', "sandbox.faults.add({ operation: 'payments.create', fault: 'reset' });"],
    ['ts', "await fetch(url + '/v1/payments/' + id);"],
    ['sh', "curl $url/v1/payments -H 'x-idempotency-key: order-1042' -d @order.json"],
    ['sh', 'key=order-1042\ncurl $url/v1/payments -H "X-Idempotency-Key: $key" -d @order.json'],
    ['sh', 'curl -X POST $url/_sandbox/payments/$id/pay'],
  ])('accepts a sample in %s that has a key or creates no payment: %s', (language, code) => {
    expect(unkeyedPayments(language, code)).toEqual([]);
  });
});
