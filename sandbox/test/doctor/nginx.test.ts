import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.js';
import { findFreePort } from '../../../test/support/free-port.js';
import { builtCommand, run } from '../cli/support.js';
import { sandboxForTest } from '../support.js';
import { examine, findResult, namesWith, optionsAt } from './support.js';

const isInstalled = spawnSync('nginx', ['-v']).status === 0;

/** Starts a sandbox behind a real nginx with extra directives in its location and outside its server. */
async function startNginx(directives: string, outside = '') {
  const sandbox = sandboxForTest({ now: undefined });
  const { url } = await sandbox.listen();
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'doctor-nginx-'));
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder};`,
  );
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; events {} error_log stderr;
    http { access_log off; ${temporary.join(' ')} ${outside}
      server { listen 127.0.0.1:${port};
        location / { proxy_pass ${url}; proxy_http_version 1.1; ${directives} } } }`,
  );
  const ending = new AbortController();
  spawn('nginx', ['-c', file, '-p', folder, '-e', 'stderr'], { stdio: 'ignore', signal: ending.signal }).on(
    'error',
    () => undefined,
  );
  onTestFinished(() => {
    ending.abort();
    rmSync(folder, { recursive: true, force: true });
  });
  const gateway = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(gateway));
  return { gateway, sandbox };
}

async function throughNginx(directives: string, outside?: string) {
  const { gateway, sandbox } = await startNginx(directives, outside);
  return examine(optionsAt(gateway, sandbox), { charge: true });
}

describe.skipIf(!isInstalled)('diagnose behind a real nginx', () => {
  test('passes every check, and names the server', async () => {
    const diagnosis = await throughNginx('');
    expect(namesWith(diagnosis, 'failed')).toEqual([]);
    expect(namesWith(diagnosis, 'warning')).toEqual([]);
    expect(findResult(diagnosis, 'http').message).toMatch(/^HTTP\/1\.1, by nginx\/[\d.]+/);
  });

  test.each([
    [
      'a dropped idempotency key',
      'proxy_set_header x-idempotency-key "";',
      ['charge.same-key', 'charge.other-payload', 'charge.lost-response'],
      'Two requests with one key made two payments',
    ],
    [
      'a response in Latin-1',
      'charset iso-8859-1; charset_types application/json;',
      ['encoding'],
      'The body is not UTF-8: application/json; charset=iso-8859-1',
    ],
    [
      'a rewritten title in the response',
      `sub_filter_types application/json; sub_filter 'Café' 'Cafe'; proxy_set_header accept-encoding "";`,
      ['charge.body'],
      'items.0.title is Cafe e pão, not Café e pão',
    ],
  ])('fails for %s', async (_, directives, names, message) => {
    const diagnosis = await throughNginx(directives);
    expect(namesWith(diagnosis, 'failed')).toEqual(expect.arrayContaining([...names]));
    expect(findResult(diagnosis, names[0] as 'encoding').message).toContain(message);
  });

  test('fails for a request body that nginx replaces', async () => {
    const diagnosis = await throughNginx('proxy_set_body "{}";');
    expect(namesWith(diagnosis, 'failed')).toContain('charge.same-key');
    expect(findResult(diagnosis, 'charge.same-key').message).toMatch(/^No payment was returned: /);
  });

  test('fails for a response that nginx converts to Latin-1', async () => {
    const diagnosis = await throughNginx(
      'charset iso-8859-1; source_charset utf-8; charset_types application/json; proxy_set_header accept-encoding "";',
      'charset_map iso-8859-1 utf-8 { E9 C3A9; E3 C3A3; }',
    );
    expect(namesWith(diagnosis, 'failed')).toContain('encoding');
  });

  test.each([
    ['0 if nginx changes nothing', '', 0],
    ['1 if nginx drops the idempotency key', 'proxy_set_header x-idempotency-key "";', 1],
    ['1 if nginx limits the body’s size too much', 'client_max_body_size 10;', 1],
  ])('makes the command exit with %s', async (_, directives, code) => {
    const { gateway, sandbox } = await startNginx(directives);
    const { clientId, clientSecret } = sandbox.clientOptions();
    const env = { PAYMENT_PLATFORM_CLIENT_ID: clientId, PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret };
    const command = await builtCommand();
    expect(await run(command, ['doctor', '--base-url', gateway, '--charge'], { env })).toMatchObject({
      code,
    });
  });

  test('warns about connections without keep-alive', async () => {
    const diagnosis = await throughNginx('keepalive_timeout 0;');
    expect(namesWith(diagnosis, 'failed')).toEqual([]);
    expect(findResult(diagnosis, 'keep-alive')).toMatchObject({
      status: 'warning',
      message: 'The server closes the connection after a response. 0 of 10 requests reused a connection.',
    });
  });

  test('fails and quotes nginx’s error page if the body size limit is too small for a payment', async () => {
    const diagnosis = await throughNginx('client_max_body_size 10;');
    expect(findResult(diagnosis, 'charge.same-key')).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/^No payment was returned: .*413 Request Entity Too Large/),
    });
  });
});
