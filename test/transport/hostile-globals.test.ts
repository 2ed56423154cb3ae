import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundledScript } from '../support/bundled-script.js';
import { formServer, json } from '../support/form-server.js';
import { paid } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();
const run = promisify(execFile);

test.each(['node', 'ky'])(
  'on the %s engine, changed prototypes cannot redirect a request or change its idempotency key (row 62)',
  async (engine) => {
    const platform = opens(
      await formServer((response, count, { path, headers, body }) => {
        if (path === '/count') response.end(String(count));
        else json(response, body.includes('fail') ? 500 : 201, { ...paid, echo: { path, headers } });
      }),
    );
    const evil = opens(await formServer((response) => json(response, 201, paid)));
    const script = await bundledScript(new URL('../support/hostile-globals.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [script, engine, platform.url, evil.url]);
    const { tried, report } = JSON.parse(stdout);
    expect(report).toEqual([]);
    expect(tried).toBeGreaterThan(200);
    expect(platform.received.length).toBeGreaterThan(300);
    expect(evil.received).toEqual([]);
  },
);
