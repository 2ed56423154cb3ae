import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { builtCommand, run, startSandbox } from '../../sandbox/test/cli/support.js';

const folder = fileURLToPath(new URL('../../examples/docker/', import.meta.url));
const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');
const { services, volumes } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'));
const config = JSON.parse(readFileSync(join(folder, 'payment-platform.config.json'), 'utf8'));

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

/** Starts the sandbox as the container does, on a free port of this machine. */
async function startContainer() {
  const [program, ...entry]: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
  expect([program, entry.shift()]).toEqual(['payment-platform', 'sandbox']);
  const data = mkdtempSync(join(tmpdir(), 'sandbox-docker-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const args = [...entry, ...services.sandbox.command];
  return startSandbox(
    command,
    args.map((arg: string) => arg.replace('/data/', `${data}/`).replace('/config/', folder)),
  );
}

test('the container responds to its network and this machine, with the configured credentials and endpoint', async () => {
  const { url, clientId, clientSecret } = await startContainer();
  const { environment } = services.app;
  expect(clientId).toBe(environment.PAYMENT_PLATFORM_CLIENT_ID);
  expect(clientSecret).toBe(environment.PAYMENT_PLATFORM_CLIENT_SECRET);
  const { port } = new URL(url);
  const { port: wanted } = new URL(environment.PAYMENT_PLATFORM_BASE_URL);
  expect(await statusFor(port, `sandbox:${wanted}`)).toBe(200);
  expect(await statusFor(port, `127.0.0.1:${port}`)).toBe(200);
  expect(await statusFor(port, 'evil.example')).toBe(421);
  const endpoints = await (await fetch(`${url}/_sandbox/endpoints`)).json();
  expect(endpoints).toMatchObject({
    data: [{ endpoint: 'http://app:3000/webhooks', hmac_configured: true }],
  });
  expect(config.endpoints[0].secret).toBe(environment.PAYMENT_PLATFORM_WEBHOOK_SECRET);
});

test('the container is healthy only while the sandbox responds', async () => {
  const [kind, program, ...args] = services.sandbox.healthcheck.test;
  expect([kind, program]).toEqual(['CMD', 'payment-platform']);
  expect(services.app.depends_on.sandbox.condition).toBe('service_healthy');
  const { url, process } = await startContainer();
  const env = { PAYMENT_PLATFORM_BASE_URL: url };
  expect(await run(command, args, { env })).toMatchObject({ code: 0 });
  await process.end();
  expect(await run(command, args, { env })).toMatchObject({ code: 3 });
});

test('the container’s port is local, its state survives its removal, and its configuration is mounted', () => {
  expect(services.sandbox.ports).toEqual(['127.0.0.1:4010:4010']);
  expect(dockerfile).toContain('EXPOSE 4010');
  expect(services.sandbox.volumes).toEqual([
    './payment-platform.config.json:/config/payment-platform.config.json:ro',
    'sandbox:/data',
  ]);
  expect(Object.keys(volumes)).toEqual(['sandbox']);
});

test('the container image installs the package’s tarball, and the package itself does not contain that tarball', () => {
  expect(dockerfile).toMatch(/^COPY payment-platform-\*\.tgz \/tmp\/payment-platform\.tgz$/m);
  expect(dockerfile).toMatch(/^RUN npm install --global --offline .*\/tmp\/payment-platform\.tgz$/m);
  expect(manifest.files.filter((entry) => /^examples\/docker\/.*[*]/.test(entry))).toEqual([]);
});

function statusFor(port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/_sandbox/clock', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
