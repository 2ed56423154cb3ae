import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PaymentPlatform } from 'payment-platform';
import { expect, test } from 'vitest';
import { credentials } from '../support/engines.js';
import { paid, pix } from '../support/payments.js';
import { formatResponse, rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const opens = closedAfterEach();

/** Reads the list in CONTRIBUTING.md: `Holder.function` and its file. */
const listed = [
  ...readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8').matchAll(
    /^\d\. `(\S+)` in `(src\/\S+)`/gm,
  ),
].map(([, name = '', file = '']) => `${name} ${file}`);

test('at most seven functions lie between payments.create and the socket, and CONTRIBUTING.md names them', async () => {
  const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(paid)))));
  const agent = new Agent();
  const platform = opens(new PaymentPlatform({ baseUrl: server.url, ...credentials, agent }));
  // The first call loads the engine and the schemas, and therefore reaches the socket in several steps.
  await platform.payments.create(pix);
  const request = agent.addRequest;
  let stack = '';
  agent.addRequest = (...args: never[]) => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 50;
    stack = new Error().stack ?? '';
    Error.stackTraceLimit = limit;
    return Reflect.apply(request, agent, args);
  };
  await platform.payments.create(pix);
  agent.destroy();
  const inRepository = stack.replaceAll(root, '').replaceAll('file://', '');
  const frames = [...inRepository.matchAll(/^ +at (?:async )?(\S+) \((src\/[^:?]+).*\)$/gm)]
    .map(([, name = '', file = '']) => `${name.replace('Object.', 'HttpClient.')} ${file}`)
    .filter((frame) => !frame.startsWith('new Promise'))
    .reverse();
  expect(frames).toEqual(listed);
  expect(listed.length).toBeGreaterThan(4);
  expect(listed.length).toBeLessThanOrEqual(7);
});

test('every function that CONTRIBUTING.md names is in the file stated next to it', () => {
  const text = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const named = [...text.matchAll(/^[\d-]\.? `(?:\w+\.)?#?(\w+)` in `(src\/\S+)`/gm)];
  expect(named.length).toBeGreaterThan(20);
  for (const [, name = '', file = ''] of named) {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const declared = new RegExp(
      `(?:function|const|class|async|override|^ +)\\*? ?#?${name}(?:<[^(]*>)?[ (:=]`,
      'm',
    );
    expect([file, name, declared.test(source)]).toEqual([file, name, true]);
  }
});

declare module 'node:http' {
  interface Agent {
    addRequest(...args: never[]): unknown;
  }
}
