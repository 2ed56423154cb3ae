import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'jsonc-parser';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PaymentPlatform } from '../../../src/index.js';
import { createReceiver, toNodeHandler } from '../../../src/webhooks/index.js';
import { eventually } from '../../../test/support/eventually.js';
import { createSandbox } from '../../index.js';
import { samples } from '../../testing/index.js';
import { builtCommand, run, startSandbox } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

/** Writes a string to a file, and returns its path. */
function writeConfig(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'payment-platform.config.json');
  writeFileSync(path, text);
  return path;
}

describe('--print-config', () => {
  test('prints every option with its default and a comment, as a configuration that a sandbox accepts', async () => {
    const { code, stdout } = await run(command, ['sandbox', '--print-config']);
    expect(code).toBe(0);
    const config = parse(stdout, [], { allowTrailingComma: true });
    expect(config).toMatchObject({
      statuses: { paymentCreated: 201 },
      kyc: { reviewAfter: 60_000 },
      checks: 'all',
    });
    const sandbox = createSandbox(config);
    await sandbox.close();
    for (const name of ['seed', 'responses', 'merchants', 'faults', 'rateLimits', 'endpoints'])
      expect(stdout).toMatch(new RegExp(`^ +// [^\\n]+\\n +(// )?"${name}": `, 'm'));
  });
});

/** Starts a receiver on a free port of this machine. */
async function listening(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const secret = 'a-secret-of-the-test';

/** Describes a platform that differs from the default in names, statuses, signature and responses. */
const createConfig = (receiver: string) => `{
  // Comments, and a comma at the end of a list, are fine.
  "$schema": "./node_modules/payment-platform/docs/config.schema.json",
  "clientId": "shop",
  "clientSecret": "shop-secret",
  "features": { "split": true },
  "fieldNames": { "payment.split": "split_rules", "payment.metadata": "extra" },
  "statuses": { "paymentCreated": 202, "paymentReplayed": 201 },
  "signature": { "encoding": "base64", "timestamp": "milliseconds",
    "headerNames": { "signature": "x-assinatura", "timestamp": "x-hora" } },
  "responses": { "pixCode": "pix.qrCode", "pixExpiresAt": "pix.expiresAt" },
  "endpoints": [{ "url": "${receiver}/hook", "secret": "${secret}" }],
  "faults": [{ "operation": "payments.create", "phase": "after-commit", "fault": "reset" }],
}`;

describe('a configuration file', () => {
  test('lets a client with the same options pay in the sandbox and receive the webhook', async () => {
    const events: string[] = [];
    const receiver = createReceiver({
      secret,
      timestamp: Number,
      headerNames: { signature: 'x-assinatura', timestamp: 'x-hora' },
      on: { 'transaction.paid': ({ id }) => void events.push(String(id)) },
    });
    const url = await listening(toNodeHandler(receiver));
    const sandbox = await startSandbox(command, ['--config', writeConfig(createConfig(url))]);
    expect(sandbox).toMatchObject({ clientId: 'shop', clientSecret: 'shop-secret' });
    const { clientId, clientSecret } = sandbox;
    const platform = new PaymentPlatform({
      ...{ baseUrl: sandbox.url, clientId, clientSecret },
      fieldNames: { 'payment.split': 'split_rules', 'payment.metadata': 'extra' },
    });
    onTestFinished(() => platform.close());
    const { internalId } = await platform.submerchants.create<{ internalId: string }>(
      samples.submerchants.create({ documentNumber: '52998224725', documentType: 'cpf' }),
      { idempotencyKey: samples.key() },
    );
    // The first response is lost, so the second attempt is a replay.
    const payment = await platform.payments.create<{ pix: { qrCode: string; expiresAt: string } }>({
      ...samples.payments.pix({ amount: 4_990 }),
      split: [{ document: { number: '52998224725' }, percentage: 50 }],
      metadata: { table: '12' },
    });
    expect(payment.pix.qrCode).toMatch(/^000201/);
    expect(payment.split).toMatchObject({ entries: [{ internalId, amount: 2_495 }, { role: 'owner' }] });
    await fetch(`${sandbox.url}/_sandbox/payments/${payment.id}/pay`, { method: 'POST' });
    await eventually(() => expect(events).toEqual([payment.id]));
    const { data } = (await (await fetch(`${sandbox.url}/_sandbox/journal`)).json()) as { data: object[] };
    expect(data).toMatchObject([
      { status: 201 },
      { fault: 'reset' },
      { status: 201, body: { extra: { table: '12' } } },
    ]);
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  test.skipIf(!python)(
    `lets a plain Python program pay in the sandbox and verify the webhook${python ? '' : ' (needs python3)'}`,
    async () => {
      const script = `
import base64, hashlib, hmac, http.server, json, os, sys, threading, urllib.request, uuid
got = threading.Event()
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        stamp = self.headers['x-hora']
        made = base64.b64encode(hmac.new(b'${secret}', f'{stamp}.'.encode() + body, hashlib.sha256).digest()).decode()
        ok = hmac.compare_digest(made, self.headers['x-assinatura'])
        self.send_response(200 if ok else 401); self.end_headers()
        if ok and json.loads(body)['event'] == 'transaction.paid': got.set()
    def log_message(self, *args): pass
server = http.server.HTTPServer(('127.0.0.1', 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
base = sys.stdin.readline().strip()
def call(path, body=None, headers={}):
    request = urllib.request.Request(base + path, data=None if body is None else json.dumps(body).encode(), headers={'content-type': 'application/json', 'client-id': 'shop', 'client-secret': 'shop-secret', **headers})
    with urllib.request.urlopen(request) as response: return response.status, json.load(response)
order = {'amount': 1990, 'paymentMethod': 'pix', 'customer': {'name': 'Ana', 'email': 'a@b.co', 'document': {'number': '52998224725', 'type': 'cpf'}}, 'items': [{'title': 'Book', 'quantity': 1, 'unitPrice': 1990}]}
key = {'x-idempotency-key': str(uuid.uuid4())}
try: call('/v1/payments', order, key)
except Exception: pass # lost: the same again, with the same key
status, payment = call('/v1/payments', order, key)
call('/_sandbox/payments/' + payment['id'] + '/pay', {})
assert got.wait(10)
print(status, payment['pix']['qrCode'][:6], len(call('/_sandbox/charges')[1]['data']))
`;
      const child = spawn('python3', ['-c', script]);
      onTestFinished(() => void child.kill());
      const [port] = await once(child.stdout, 'data');
      const config = writeConfig(createConfig(`http://127.0.0.1:${String(port).trim()}`));
      const sandbox = await startSandbox(command, ['--config', config]);
      child.stdin.end(`${sandbox.url}\n`);
      const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect([printed.trim(), errors]).toEqual(['201 000201 1', '']);
    },
  );

  test('allows a --webhook over plain HTTP to a host of its httpWebhookHosts', async () => {
    const config = writeConfig('{ "httpWebhookHosts": ["app.example"] }');
    const sandbox = await startSandbox(command, [
      '--config',
      config,
      '--webhook',
      'http://app.example/hooks',
    ]);
    expect(sandbox.url).toMatch(/^http:/);
    const other = ['sandbox', '--config', config, '--webhook', 'http://other.example/hooks'];
    expect((await run(command, other)).stderr).toContain(
      '--webhook http://other.example/hooks must be an HTTPS URL',
    );
  });

  test('is found in the current folder, and command-line flags override it', async () => {
    const config = writeConfig('{ "seed": 7, "clientId": "shop" }');
    const child = spawn(process.execPath, [command, 'sandbox', '--port', '0', '--json', '--seed', '8'], {
      cwd: dirname(config),
    });
    onTestFinished(() => void child.kill());
    const [line] = await once(child.stdout, 'data');
    const { clientId, clientSecret } = JSON.parse(String(line));
    const alike = createSandbox({ seed: 8, clientId: 'shop' });
    expect({ clientId, clientSecret }).toMatchObject({
      clientId,
      clientSecret: alike.clientOptions().clientSecret,
    });
    await alike.close();
  });

  test.each<[string, string]>([
    ['{ "sed": 1 }', 'sed is an unknown option. Did you mean seed?'],
    ['{ "kyc": { "reviewafter": "1m" } }', 'kyc.reviewafter is an unknown option. Did you mean reviewAfter?'],
    ['{ "responses": { "pixcode": "a" } }', 'responses has pixcode (known: pixCode'],
    ['{ "faults": [{ "fault": "reset", "phase": "after" }] }', 'faults.0: phase'],
    ['{\n  "seed": 1\n  "now": 2 }', 'is not JSON: CommaExpected in line 3, column 3.'],
    ['[]', 'is not a JSON object.'],
    ['['.repeat(50_000), 'is nested too deeply.'],
    [
      '{ "signature": { "headerNames": { "signature": "host" } } }',
      'signature.headerNames.signature must be the name',
    ],
    ['{ "now": 8640000000000000 }', 'now must be a time'],
    ['', 'is not JSON: ValueExpected in line 1, column 1.'],
  ])('is rejected with an error that names the mistake: %s', async (config, message) => {
    const path = writeConfig(config);
    const { code, stderr } = await run(command, ['sandbox', '--port', '0', '--config', path]);
    expect(code).toBe(2);
    expect(stderr).toContain(path);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('createSandbox');
  });
});
