import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { builtCommand, run, startSandbox } from '../cli/support.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/sandbox.md'), 'utf8');

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

/** The block that says it runs, and what its comments promise. */
function block(language: string): { code: string; promised: string[] } {
  const code = new RegExp(`^\`\`\`${language} run\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';
  return { code, promised: [...code.matchAll(/^\S.*\S {1,2}# (\S.*)$/gm)].map(([, text = '']) => text) };
}

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

describe('the walk through the sandbox', () => {
  test.each([
    { language: 'sh', program: 'bash', needs: 'curl' },
    { language: 'python', program: 'python3', needs: 'python3' },
  ])('with $needs runs as the page says', async ({ language, program, needs }) => {
    if (!isThere(needs) || !isThere(program)) throw new Error(`This test needs ${needs}.`);
    const env = { SANDBOX_CLIENT_ID: 'shop', SANDBOX_CLIENT_SECRET: 'shop-secret' };
    const { url } = await startSandbox(command, ['--now', '2026-01-01T00:00:00Z'], env);
    const { code, promised } = block(language);
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-walk-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'walk');
    writeFileSync(path, code.replaceAll('http://127.0.0.1:4010', url));
    const { stdout, stderr } = await promisify(execFile)(program, [path]);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual(promised);
    expect(promised.length).toBeGreaterThanOrEqual(8);
  });
});

test('every option and command of the page is one of the command, and every one of the command is on the page', async () => {
  const help = async (...args: string[]) => (await run(command, [...args, '--help'])).stdout;
  const optionsIn = (text: string) => new Set(text.match(/--[a-z][a-z-]*[a-z]/g) ?? []);
  const known = optionsIn(await help('sandbox'));
  for (const option of known) if (option !== '--help') expect(page).toContain(option);
  const commands = [...(await help()).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  for (const name of commands.filter((name) => name !== 'help')) {
    expect(page, name).toMatch(new RegExp(`\`${name}|${name} |webhooks`));
    for (const option of optionsIn(await help(name))) known.add(option);
  }
  for (const name of ['add', 'list', 'remove', 'clear'])
    for (const option of optionsIn(await help('faults', name))) known.add(option);
  for (const name of ['listen', 'send', 'verify'])
    for (const option of optionsIn(await help('webhooks', name))) known.add(option);
  expect([...optionsIn(page)].filter((option) => !known.has(option))).toEqual([]);
});

describe('examples/docker', () => {
  const dockerfile = readFileSync(join(root, 'examples/docker/Dockerfile'), 'utf8');
  const compose = parse(readFileSync(join(root, 'examples/docker/compose.yaml'), 'utf8'));

  test('the container serves its own network and this machine', async () => {
    const [program, ...entry]: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
    expect([program, entry.shift()]).toEqual(['payment-platform', 'sandbox']);
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-docker-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { command: given, environment } = compose.services.sandbox;
    const args = [...entry, ...given].map((arg: string) => arg.replace('/data/', `${folder}/`));
    const { url, clientId } = await startSandbox(command, args, environment);
    expect(clientId).toBe(compose.services.app.environment.PAYMENT_PLATFORM_CLIENT_ID);
    const { port } = new URL(url);
    const { port: wanted } = new URL(compose.services.app.environment.PAYMENT_PLATFORM_BASE_URL);
    expect(await statusFor(port, `sandbox:${wanted}`)).toBe(200);
    expect(await statusFor(port, `127.0.0.1:${port}`)).toBe(200);
    expect(await statusFor(port, 'evil.example')).toBe(421);
    const endpoints = await (await fetch(`${url}/_sandbox/endpoints`)).json();
    expect(endpoints).toMatchObject({
      data: [{ endpoint: 'http://app:3000/webhooks', hmac_configured: true }],
    });
  });

  test('its port is published for this machine only, and its state outlives it', () => {
    const { ports, volumes, environment } = compose.services.sandbox;
    expect(ports).toEqual(['127.0.0.1:4010:4010']);
    expect(dockerfile).toContain('EXPOSE 4010');
    expect(volumes).toEqual(['sandbox:/data']);
    expect(Object.keys(compose.volumes)).toEqual(['sandbox']);
    const { app } = compose.services;
    expect(app.environment.PAYMENT_PLATFORM_WEBHOOK_SECRET).toBe(environment.PAYMENT_PLATFORM_WEBHOOK_SECRET);
    expect(app.environment.PAYMENT_PLATFORM_CLIENT_SECRET).toBe(environment.SANDBOX_CLIENT_SECRET);
  });
});

function statusFor(port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/_sandbox/clock', headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
