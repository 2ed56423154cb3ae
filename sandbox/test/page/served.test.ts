import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { controlled } from '../control-api/support.js';

test('the page’s content security policy prevents other scripts from running', async () => {
  const { requestControl } = await controlled();
  const reply = await requestControl('GET /');
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const policy = reply.headers['content-security-policy'] ?? '';
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(reply.text).not.toMatch(/<script>|<style|style=|onload=/);
});

test('the page’s files are small, and contain no local path', async () => {
  const { requestControl } = await controlled();
  const [script, style] = [await requestControl('GET /page.js'), await requestControl('GET /page.css')];
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
  const size = [script, style].reduce((sum, { text }) => sum + gzipSync(text).length, 0);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThan(60_000);
  expect(script.text + style.text).not.toContain(process.cwd());
  expect(script.text).not.toMatch(/innerHTML\s*=\s*[^=]{0,40}location|eval\(/);
});

test('the page’s folder redirects to the page, and rejects other methods', async () => {
  const { requestControl, sandbox } = await controlled();
  expect(await requestControl('GET ')).toMatchObject({ status: 308, headers: { location: '/_sandbox/' } });
  expect(await requestControl('POST /')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect(await requestControl('HEAD /page.js')).toMatchObject({ status: 200, text: '' });
  expect(sandbox.journal.requests).toEqual([]);
});
