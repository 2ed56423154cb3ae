import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { samples } from 'payment-platform/testing';
import { sign } from 'payment-platform/webhooks';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { builtCommand, run } from '../../sandbox/test/cli/support.js';
import { findFreePort } from '../support/free-port.js';

const page = ['any-language', 'receivers']
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');
const blocks = [...page.matchAll(/^```(\w+)( run)?\n(.*?)^```/gms)].map(
  ([, language = '', flag, code = '']) => ({ language, runs: flag !== undefined, code }),
);

/** Reads the variables that the page's first block sets. */
const variables = Object.fromEntries(
  [...(blocks[0]?.code ?? '').matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);
const {
  PAYMENT_PLATFORM_CLIENT_ID: clientId = '',
  PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret = '',
  PAYMENT_PLATFORM_WEBHOOK_SECRET: secret = '',
} = variables;

/** The sandbox's options in the page's first block. */
const configured = JSON.parse(/^echo '(.*)' >payment-platform/m.exec(blocks[0]?.code ?? '')?.[1] ?? '{}');

const isThere = (program: string, flag = '--version') => spawnSync(program, [flag]).status === 0;

function temporaryFolder({ onTestFinished }: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'any-language-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The time limit in milliseconds. Compilers are slow while other tests run. */
const timeout = 60_000;

for (const { language, program, needs, promises, charges } of [
  { language: 'sh', program: 'sh', needs: 'curl', promises: 7, charges: 2 },
  { language: 'python', program: 'python3', needs: 'python3', promises: 9, charges: 3 },
]) {
  const title = `the calls in ${language} (needs ${needs}) survive a lost response and a gateway’s page`;
  test.skipIf(!isThere(needs)).concurrent(title, { timeout }, async (context) => {
    await using sandbox = createSandbox({ clientId, clientSecret, ...configured });
    const { url } = await sandbox.listen();
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    const page = { status: 404, body: '<html>', headers: { 'content-type': 'text/html' } };
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: page });
    const folder = temporaryFolder(context);
    const photo = Buffer.from('\xff\xd8\xff\r\n--photo\0\r\n', 'latin1');
    for (const name of ['cnh.jpg', 'selfie.jpg']) writeFileSync(join(folder, name), photo);
    const code = blocks.flatMap((block) => (block.runs && block.language === language ? [block.code] : []));
    writeFileSync(join(folder, 'program'), code.join('\n'));

    const { stdout } = await promisify(execFile)(program, ['program'], {
      cwd: folder,
      env: { ...process.env, ...variables, PAYMENT_PLATFORM_BASE_URL: url },
    });

    const promised = [
      ...code.join('\n').matchAll(/^.*(?:print\(|echo|field status|http_code).* {1,2}# (.*)$/gm),
    ];
    expect(promised).toHaveLength(promises);
    expect(stdout.trim().split('\n')).toEqual(promised.map(([, text]) => text));
    expect(sandbox.ledger.charges).toHaveLength(charges);
    const operations = sandbox.journal.requests.map(({ operation }) => operation);
    // Two of the attempts have no usable response, and one payment is sent twice.
    expect(operations.filter((name) => name === 'payments.create')).toHaveLength(charges + 3);
    expect(operations).toContain('oauth.token');
    const [registration, ...others] = sandbox.control.onboarding.list();
    expect(others).toEqual([]);
    const { selfie, cnhCompleta } = sandbox.control.onboarding.documents(registration?.registration_id ?? '');
    expect([selfie?.size, cnhCompleta?.size]).toEqual([photo.length, photo.length]);
  });
}

/** Returns the code of a page's runnable blocks in a language. */
const programsOf = (path: string, language: string) =>
  [
    ...readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').matchAll(
      /^```(\w+) run\n(.*?)^```/gms,
    ),
  ].flatMap(([, name, code = '']) => (name === language ? [code] : []));

/** Runs a program against a sandbox. */
async function runProgram(
  program: string,
  code: string,
  url: string,
  context: TestContext,
  secretOfClient = clientSecret,
) {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'program'), code);
  const env = {
    ...process.env,
    ...variables,
    PAYMENT_PLATFORM_BASE_URL: url,
    PAYMENT_PLATFORM_CLIENT_SECRET: secretOfClient,
  };
  return promisify(execFile)(program, ['program'], { cwd, env }).catch((error) => error);
}

const pagesWithPrograms = ['docs/any-language.md', 'docs/pt/any-language.md'];
const rejection = (status: number) => ({ status, body: { message: 'No.' } });

describe.skipIf(!isThere('python3')).concurrent.each(pagesWithPrograms)(
  'the Python program of %s',
  (path) => {
    test.for([400, 401, 403, 404])(
      'reports an unknown outcome, and no rejection, if the retry after a lost response gets a %d',
      async (status, context) => {
        await using sandbox = createSandbox({ clientId, clientSecret });
        const { url } = await sandbox.listen();
        sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
        sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: rejection(status) });
        const [code = ''] = programsOf(path, 'python');
        const { stderr } = await runProgram('python3', code, url, context);
        expect(stderr).toContain(`the outcome is unknown, and the retry got ${status}`);
        expect(stderr).not.toContain('rejected:');
        expect(sandbox.ledger.charges).toHaveLength(1);
      },
    );

    test('keeps an order open if the retry after a restart is rejected, and settles it later with one charge', async (context) => {
      await using sandbox = createSandbox({ clientId, clientSecret, ...configured });
      const { url } = await sandbox.listen();
      const [first = '', , , restart = ''] = programsOf(path, 'python');
      const driver = `
lost = {**order, "externalId": "order-9"}
database.execute("INSERT INTO orders (key, body, amount) VALUES (?, ?, ?)", ("order-9", json.dumps(lost), 1990))
send("/v1/payments", json.dumps(lost).encode(), {**CREDENTIALS, "content-type": "application/json", "x-idempotency-key": "order-9"})
for _ in range(2):
    settle_open_orders()
    print(database.execute("SELECT status FROM orders WHERE key = 'order-9'").fetchone()[0])`;
      // The first blocks send three requests, and the driver one before it settles.
      sandbox.faults.add({ operation: 'payments.create', nth: 5, fault: rejection(401) });
      const { stdout } = await runProgram('python3', first + restart + driver, url, context);
      const lines = stdout.trim().split('\n').slice(-3);
      expect(lines[0]).toContain('order-9 the outcome is unknown, and the retry got 401');
      expect(lines.slice(1)).toEqual(['open', 'waiting_payment']);
      expect(
        sandbox.ledger.charges.filter(({ idempotencyKey }) => idempotencyKey === 'order-9'),
      ).toHaveLength(1);
    });

    test('keeps an order open, and reports it, after an event without a status', async (context) => {
      await using sandbox = createSandbox({ clientId, clientSecret, ...configured });
      const { url } = await sandbox.listen();
      const [first = '', , , restart = ''] = programsOf(path, 'python');
      const driver = `
database.execute("INSERT INTO orders (key, body, amount) VALUES ('order-9', '', 1990)")
record({"externalReference": "order-9", "id": "p-9", "amount": 1990})
print(database.execute("SELECT status FROM orders WHERE key = 'order-9'").fetchone()[0])`;
      const { stdout, stderr } = await runProgram('python3', first + restart + driver, url, context);
      expect(stdout.trim().split('\n').at(-1)).toBe('open');
      expect(stderr).toContain('order-9');
    });

    test.for([
      ['expired paid', 'paid'],
      ['cancelled paid', 'paid'],
      ['refused paid', 'paid'],
      ['paid expired', 'paid'],
      ['paid waiting_payment', 'paid'],
      ['paid refunded paid', 'refunded'],
      ['chargedback paid', 'chargedback'],
      ['expired waiting_payment', 'expired'],
    ])('records the events %s in this order as %s', async ([events, status], context) => {
      await using sandbox = createSandbox({ clientId, clientSecret, ...configured });
      const { url } = await sandbox.listen();
      const [first = '', , , restart = ''] = programsOf(path, 'python');
      const driver = `
database.execute("INSERT INTO orders (key, body, amount) VALUES ('order-9', '', 1990)")
for status in "${events}".split():
    record({"externalReference": "order-9", "id": "p-9", "status": status, "amount": 1990})
print(database.execute("SELECT status FROM orders WHERE key = 'order-9'").fetchone()[0])`;
      const { stdout } = await runProgram('python3', first + restart + driver, url, context);
      expect(stdout.trim().split('\n').at(-1)).toBe(status);
    });
  },
);

describe.skipIf(!isThere('curl')).concurrent.each(pagesWithPrograms)('the curl program of %s', (path) => {
  test('exits with 2, and not with 1, if the retry after a lost response gets a 401', async (context) => {
    await using sandbox = createSandbox({ clientId, clientSecret });
    const { url } = await sandbox.listen();
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: rejection(401) });
    const [code = ''] = programsOf(path, 'sh');
    expect(await runProgram('sh', code, url, context)).toMatchObject({ code: 2 });
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('exits with 1 if the first attempt gets a 401', async (context) => {
    await using sandbox = createSandbox({ clientId, clientSecret });
    const { url } = await sandbox.listen();
    sandbox.faults.add({ operation: 'payments.create', fault: rejection(401) });
    const [code = ''] = programsOf(path, 'sh');
    expect(await runProgram('sh', code, url, context)).toMatchObject({ code: 1 });
  });

  test('sends a client secret with quotes and backslashes unchanged', async (context) => {
    const clientSecret = 'a "secret" \\ with % & + and \\n';
    await using sandbox = createSandbox({ clientId, clientSecret });
    const { url } = await sandbox.listen();
    const [payments = '', , , token = ''] = programsOf(path, 'sh');
    const { stdout } = await runProgram('sh', payments + token, url, context, clientSecret);
    expect(stdout).toContain('the same payment\n200\n');
  });
});

test.skipIf(!isThere('python3')).each(['docs/any-language.md', 'docs/pt/any-language.md'])(
  "a rejected payment ends the Python program of %s with the platform's message",
  async (path) => {
    await using sandbox = createSandbox({ clientId, clientSecret });
    const { url } = await sandbox.listen();
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const [firstProgram = ''] = [...text.matchAll(/^```python run\n(.*?)^```/gms)].map(([, block]) => block);
    const program = firstProgram.replace('"amount": 1990', '"amount": 19.9');
    const { code: status, stderr } = await promisify(execFile)('python3', ['-c', program], {
      env: { ...process.env, ...variables, PAYMENT_PLATFORM_BASE_URL: url },
    }).catch((error) => error);
    expect(status).toBe(1);
    expect(stderr).toMatch(/rejected: 400 .*amount/);
  },
);

/** A program on the page, the path of its file and the command that starts the program. */
interface Receiver {
  readonly language: string;
  readonly needs: string;
  readonly isThere: boolean;
  readonly file: string;
  readonly command: string;
}

const hasDotnet = isThere('dotnet');

const receivers: readonly Receiver[] = [
  {
    language: 'python',
    needs: 'python3',
    isThere: isThere('python3'),
    file: 'receiver.py',
    command: 'exec python3 receiver.py',
  },
  {
    language: 'php',
    needs: 'php',
    isThere: isThere('php'),
    file: 'receiver.php',
    command: 'exec php -S 127.0.0.1:$PORT receiver.php',
  },
  {
    language: 'ruby',
    needs: 'ruby',
    isThere: isThere('ruby'),
    file: 'receiver.rb',
    command: 'exec ruby receiver.rb',
  },
  {
    language: 'go',
    needs: 'go',
    isThere: isThere('go', 'version'),
    file: 'receiver.go',
    command: 'exec go run receiver.go',
  },
  {
    language: 'java',
    needs: 'a JDK',
    isThere: isThere('javac'),
    file: 'Receiver.java',
    command: 'exec java Receiver.java',
  },
  {
    language: 'csharp',
    needs: 'dotnet, or mcs and mono',
    isThere: hasDotnet || (isThere('mcs') && isThere('mono')),
    file: 'Receiver.cs',
    command: hasDotnet
      ? 'dotnet new console --name Receiver --output . && mv Receiver.cs Program.cs && exec dotnet run'
      : 'mcs Receiver.cs && exec mono Receiver.exe',
  },
];

/** Starts a shell command that ends with the test, and reads its output line by line. */
function launch(
  line: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
  context: TestContext,
) {
  // The program runs in its own process group, so that its children end with the program.
  const child = spawn('sh', ['-c', line], { cwd, env: { ...process.env, ...env }, detached: true });
  const ended = once(child, 'close');
  context.onTestFinished(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  const lines: string[] = [];
  const found = (pattern: RegExp) =>
    [child.stdout, child.stderr].map(
      (output) =>
        new Promise<string>((resolve) => {
          createInterface({ input: output }).on('line', (text) => {
            lines.push(text);
            if (pattern.test(text)) resolve(text);
          });
        }),
    );
  return {
    lines,
    /** Resolves with the first matching line, or undefined if the program ends without a match. */
    until: (pattern: RegExp) => Promise.race([...found(pattern), ended.then(() => undefined)]),
  };
}

/** Starts the page's program. `url` is undefined if the program has ended. */
async function start({ language, file, command }: Receiver, webhookSecret: string, context: TestContext) {
  const cwd = temporaryFolder(context);
  // Only the last block in each language is a program. Earlier blocks show single calls.
  writeFileSync(join(cwd, file), blocks.findLast((block) => block.language === language)?.code ?? '');
  const port = await findFreePort();
  const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: webhookSecret, PORT: String(port) };
  const { lines, until } = launch(command, { cwd, env }, context);
  // PHP's server announces in its own words that it is listening.
  const isListening = (await until(/^listening|Development Server/)) !== undefined;
  return { url: isListening ? `http://127.0.0.1:${port}/webhooks` : undefined, lines };
}

/** Returns a timestamp in seconds, as in a delivery. */
const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

const postForStatus = async (url: string, body: string, headers: Record<string, string>) =>
  (await fetch(url, { method: 'POST', body, headers })).status;

/** Posts a body without its length, in chunks. */
function postInChunks(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } });
    sent.on('error', reject).on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    for (let start = 0; start < body.length; start += 100_000) sent.write(body.slice(start, start + 100_000));
    sent.write('');
    sent.end();
  });
}

/** Sends bytes over a connection. Returns the first line of the response. */
async function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  let received = '';
  for await (const chunk of socket.on('error', () => undefined)) received += chunk;
  return received.split('\r\n')[0] ?? '';
}

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

test.concurrent('the first code block of any-language.md starts a sandbox with the page’s credentials and an endpoint', async (context) => {
  const sandbox = `'${process.execPath}' '${command}' sandbox --json --port 0`;
  const line = (blocks[0]?.code ?? '').replace('npx payment-platform sandbox', sandbox);
  const ready = await launch(line, { cwd: temporaryFolder(context), env: {} }, context).until(/^\{/);
  const { url, ...credentials } = JSON.parse(ready ?? '{}');
  expect(credentials).toMatchObject({ clientId, clientSecret });
  const response = await fetch(`${url}/_sandbox/endpoints`);
  expect(await response.json()).toMatchObject({
    data: [{ endpoint: 'http://127.0.0.1:3000/webhooks', hmac_configured: true }],
  });
});

/** Lists deliveries that a receiver must reject, by their fault. */
function forgeries(body: string): Record<string, { body?: string; headers: Record<string, string> }> {
  const signed = (change: object = {}) => sign({ body, secret, ...change });
  const { 'x-service-timestamp': timestamp = '', 'x-service-signature': signature = '' } = signed();
  return {
    changedBody: { body: `${body} `, headers: signed() },
    wrongSecret: { headers: signed({ secret: `${secret}-` }) },
    old: { headers: signed({ timestamp: ago(310) }) },
    future: { headers: signed({ timestamp: ago(-310) }) },
    otherTimestamp: { headers: { ...signed(), 'x-service-timestamp': String(ago(5)) } },
    noTime: { headers: signed({ timestamp: 'now' }) },
    halfSignature: { headers: { ...signed(), 'x-service-signature': signature.slice(0, 32) } },
    emptySignature: { headers: { ...signed(), 'x-service-signature': '' } },
    withoutSignature: { headers: { 'x-service-timestamp': timestamp } },
    withoutTimestamp: { headers: { 'x-service-signature': signature } },
    unsigned: { headers: {} },
  };
}

for (const receiver of receivers) {
  const title = `the ${receiver.language} receiver in any-language.md (needs ${receiver.needs})`;
  describe.skipIf(!receiver.isThere).concurrent(title, { timeout }, () => {
    test('accepts only authentic deliveries', async (context) => {
      const { url = '' } = await start(receiver, secret, context);
      await using sandbox = createSandbox();
      sandbox.webhooks.register({ url, secret });
      await using platform = new PaymentPlatform(sandbox.clientOptions());
      const { id } = await platform.payments.create(samples.payments.pix());
      sandbox.control.payments.pay(id);
      await sandbox.webhooks.idle();
      expect(sandbox.webhooks.list().map(({ status }) => status)).toEqual([200, 200, 200, 200]);

      const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: secret };
      const sent = await run(command, ['webhooks', 'send', 'transaction.paid', '--to', url], { env });
      expect(sent).toMatchObject({ code: 0, stderr: '' });

      const body = JSON.stringify(samples.notification('transaction.paid'));
      for (const seconds of [290, -290])
        expect(await postForStatus(url, body, sign({ body, secret, timestamp: ago(seconds) }))).toBe(200);
      const forged = forgeries(body);
      for (const [name, { headers, ...other }] of Object.entries(forged))
        expect(await postForStatus(url, other.body ?? body, headers), name).toBe(401);
    });

    test('reads a delivery in chunks, and rejects it if it is forged', async (context) => {
      const { url = '' } = await start(receiver, secret, context);
      const body = JSON.stringify(samples.notification('transaction.paid'));
      expect(await postInChunks(url, body, sign({ body, secret }))).toBe(200);
      expect(await postInChunks(url, `${body} `, sign({ body, secret }))).toBe(401);
      expect(await postInChunks(url, body, {})).toBe(401);
    });

    test('rejects a body that is too long, and keeps running', async (context) => {
      const { url = '' } = await start(receiver, secret, context);
      const body = JSON.stringify({ event: 'transaction.paid', note: 'x'.repeat(1_500_000) });
      const signed = sign({ body, secret });
      // A server that stops reading can close the connection before its response arrives.
      for (const post of [postForStatus, postInChunks])
        expect([400, 'closed']).toContain(await post(url, body, signed).catch(() => 'closed'));
      expect(await postForStatus(url, '{}', sign({ body: '{}', secret }))).toBe(200);
    });

    // The Java and C# receivers use no JSON parser and leave parsing to the caller.
    if (!/^(java|csharp)$/.test(receiver.language))
      test('returns a 400 for an authentic body that is not a JSON object', async (context) => {
        const { url = '' } = await start(receiver, secret, context);
        const send = (body: string) => postForStatus(url, body, sign({ body, secret }));
        for (const body of ['', 'paid', '{"event":', '[]', 'null', '"paid"', '1', '['.repeat(50_000)])
          expect(await send(body), body.slice(0, 20)).toBe(400);
        expect(await send('{"event":"transaction.paid"}')).toBe(200);
      });

    test('ends at its start, or returns a 500, if it has no secret', async (context) => {
      const { url } = await start(receiver, '', context);
      const body = '{"event":"transaction.paid"}';
      const status = url === undefined ? 'ended' : await postForStatus(url, body, sign({ body, secret: '' }));
      expect(status).toBe(receiver.language === 'php' ? 500 : 'ended');
    });

    if (/^(python|ruby)$/.test(receiver.language))
      test('rejects a body whose length or chunks are malformed', async (context) => {
        const { url = '' } = await start(receiver, secret, context);
        const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
        for (const rest of [
          'Content-Length: -1\r\n\r\n',
          'Content-Length: two\r\n\r\n',
          `${chunked}zz\r\n`,
          `${chunked}-5\r\n`,
          `${chunked}fffffffff\r\n`,
          `${chunked}2\r\n{}}}\r\n0\r\n\r\n`,
        ])
          expect(await sendBytes(url, `POST / HTTP/1.1\r\nHost: shop\r\n${rest}`), rest).toMatch(
            /^HTTP\/1\.[01] 400 /,
          );
      });

    // The receivers in other languages leave deduplication to a database.
    if (receiver.language === 'python')
      test('handles each notification once', (context) => handlesOnce(receiver, context));
  });
}

async function handlesOnce(receiver: Receiver, context: TestContext): Promise<void> {
  const { url = '', lines } = await start(receiver, secret, context);
  await using sandbox = createSandbox();
  const events = ['transaction.paid', 'transaction.status.updated'] as const;
  sandbox.webhooks.register({ url, secret, events });
  await using platform = new PaymentPlatform(sandbox.clientOptions());
  const { id } = await platform.payments.create(samples.payments.card({ externalId: 'order-1' }));
  await sandbox.webhooks.idle();
  for (const delivery of sandbox.webhooks.list({ payment: id })) sandbox.webhooks.redeliver(delivery.id);
  await sandbox.webhooks.idle();
  expect(sandbox.webhooks.deliveries.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(lines.filter((line) => line.startsWith('handled')).sort()).toEqual(
    events.map((event) => `handled ${event} order-1`),
  );
}
