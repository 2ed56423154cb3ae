import { expect, test } from 'vitest';
import { maxListeners } from '../../control-api/events.js';
import type { Sandbox } from '../../index.js';
import { onboard, pay, pix, sandboxForTest, startReceiver } from '../support.js';
import { controlled } from './support.js';

/** Listens to a sandbox; `until` resolves when a kind has changed. */
async function listen(fetching: typeof fetch, url: string) {
  const controller = new AbortController();
  const response = await fetching(`${url}/_sandbox/events`, { signal: controller.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  await reader.read();
  let text = '';
  return {
    response,
    close: () => controller.abort(),
    read: () => reader.read(),
    async until(kind: string) {
      while (!text.includes(`"${kind}"`)) {
        const { value, done } = await reader.read();
        if (done) throw new Error('The feed has ended.');
        text += decoder.decode(value);
      }
      expect(text).toMatch(/^(event: change\ndata: \{"kinds":\[("\w+",?)+\]\}\n\n)+$/);
      text = '';
    },
  };
}

const inProcess = (sandbox: Sandbox) => {
  const { fetch, baseUrl } = sandbox.clientOptions();
  return listen(fetch as typeof globalThis.fetch, baseUrl);
};

test('the control API’s event feed reports changes by requests, control methods, the clock and deliveries', async () => {
  const { server, sandbox } = await controlled();
  const receiver = await startReceiver();
  const feed = await listen(fetch, server.url);
  expect(feed.response.headers.get('content-type')).toBe('text/event-stream');
  sandbox.webhooks.register({ url: receiver.url });
  await feed.until('endpoints');
  const { body } = await pay(server, pix());
  await feed.until('payments');
  sandbox.control.payments.pay(String(body.id));
  await sandbox.webhooks.idle();
  await feed.until('deliveries');
  await sandbox.clock.advance('1h');
  await feed.until('clock');
  sandbox.faults.add({ fault: 'reset' });
  await feed.until('faults');
  sandbox.faults.clear();
  await onboard(server);
  await feed.until('onboarding');
  sandbox.addMerchant();
  await feed.until('merchants');
  feed.close();
});

test('the control API’s event feed does not report requests that only read', async () => {
  const sandbox = sandboxForTest();
  const feed = await inProcess(sandbox);
  const { fetch, baseUrl } = sandbox.clientOptions();
  for (const path of ['payments', 'onboarding', 'deliveries', 'tokens', 'journal', 'info']) {
    await (await fetch(`${baseUrl}/_sandbox/${path}`)).json();
  }
  const next = feed.read();
  sandbox.control.features.enable('split');
  const { value } = await next;
  expect(new TextDecoder().decode(value)).toBe('event: change\ndata: {"kinds":["merchants"]}\n\n');
});

test('the control API’s event feed ends when the sandbox closes', async () => {
  const sandbox = sandboxForTest();
  const feed = await inProcess(sandbox);
  await sandbox.close();
  expect(await feed.read()).toMatchObject({ done: true });
});

test('the control API’s event feed returns a 503 above its limit of listeners, until a listener leaves', async () => {
  const sandbox = sandboxForTest();
  const { fetch, baseUrl } = sandbox.clientOptions();
  const open = () => fetch(`${baseUrl}/_sandbox/events`);
  const responses = await Promise.all(Array.from({ length: maxListeners }, open));
  expect((await open()).status).toBe(503);
  await responses[0]?.body?.cancel();
  expect((await open()).status).toBe(200);
  expect((await fetch(`${baseUrl}/_sandbox/events`, { method: 'HEAD' })).status).toBe(200);
});
