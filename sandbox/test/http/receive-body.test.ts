import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Sandbox, SandboxOptions, SandboxServer } from '../../index.js';
import { exchange, RawClient, requestText } from '../raw-client.js';
import { call, form, keyNo, naturalPerson, onboard, pay, pix, sandboxForTest } from '../support.js';

const MiB = 1024 * 1024;

async function listening(options?: SandboxOptions): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  const sandbox = sandboxForTest(options);
  return { sandbox, server: await sandbox.listen() };
}

const head = (server: SandboxServer, more: Record<string, string> = {}) => ({
  host: `127.0.0.1:${server.port}`,
  'content-type': 'application/json',
  ...more,
});

const credentials = (server: SandboxServer) => {
  const { clientId, clientSecret } = server.clientOptions();
  return { 'client-id': clientId, 'client-secret': clientSecret };
};

const multipart = { 'content-type': 'multipart/form-data; boundary=x' };

/** Sends chunks while the server reads, up to the given number of bytes. */
async function flood(client: RawClient, bytes: number) {
  const piece = Buffer.alloc(MiB, 'x');
  const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
  for (let sent = 0; sent < bytes; sent += piece.length) await client.write(chunk);
}

describe('a request body over the limit', () => {
  test.each([
    ['JSON with valid credentials', {}, true],
    ['JSON without credentials', {}, false],
    ['plain text', { 'content-type': 'text/plain' }, false],
    ['a form with valid credentials', multipart, true],
    ['a form without credentials', multipart, false],
  ])('causes a 413 before it is sent, because its Content-Length is 600 MB: %s', async (_, type, known) => {
    const { sandbox, server } = await listening();
    const headers = head(server, {
      ...type,
      'content-length': '600000000',
      ...(known && credentials(server)),
    });
    const reply = await exchange(server, requestText('POST /v1/payments HTTP/1.1', headers));
    expect([reply.status, JSON.parse(reply.body).error.code]).toEqual([413, 'body_too_large']);
    expect(sandbox.journal.requests).toEqual([]);
    expect((await pay(server, pix())).status).toBe(201);
  });

  test.each([
    ['JSON', {}, 'chunked'],
    ['a form', multipart, 'chunked'],
  ])('causes a 413 if it comes in endless chunks: %s', async (_, type, encoding) => {
    const { sandbox, server } = await listening({ maxBody: 8 * MiB });
    const client = await RawClient.open(server);
    const headers = head(server, { ...type, 'transfer-encoding': encoding });
    await client.write(requestText('POST /v1/payments HTTP/1.1', headers));
    const before = process.memoryUsage.rss();
    await flood(client, 100 * MiB);
    expect((await client.reply()).status).toBe(413);
    client.close();
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MiB);
    expect(sandbox.journal.requests).toEqual([]);
    expect((await pay(server, pix())).status).toBe(201);
  });

  test('is dropped after the 413, so that the connection can be used again', async () => {
    const { server } = await listening();
    const client = await RawClient.open(server);
    const headers = head(server, { 'content-length': String(5 * MiB) });
    await client.write(requestText('POST /v1/payments HTTP/1.1', headers));
    expect((await client.reply()).status).toBe(413);
    await client.write(Buffer.alloc(5 * MiB, 'x'));
    await client.write(requestText('GET /v1/webhooks HTTP/1.1', { ...head(server), ...credentials(server) }));
    expect((await client.reply()).status).toBe(200);
    client.close();
  });

  test('makes the server disconnect five seconds after the 413 if the client keeps sending', async () => {
    const { server } = await listening();
    const client = await RawClient.open(server);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const headers = head(server, { 'transfer-encoding': 'chunked' });
    await client.write(requestText('POST /v1/payments HTTP/1.1', headers));
    await flood(client, 2 * MiB);
    expect((await client.reply()).status).toBe(413);
    vi.advanceTimersByTime(4_999);
    await flood(client, 2 * MiB);
    vi.advanceTimersByTime(1);
    await expect(client.reply()).rejects.toThrow('dropped');
  });

  test('causes a 413 even if the client sends everything before it reads', async () => {
    const { server } = await listening();
    const reply = await fetch(`${server.url}/v1/payments`, { method: 'POST', body: Buffer.alloc(30 * MiB) });
    expect(reply.status).toBe(413);
  });

  test('causes a 413 even if the client sends Expect: 100-continue', async () => {
    const { server } = await listening();
    const announceBody = async (length: number) => {
      const asking = request(`${server.url}/v1/payments`, {
        method: 'POST',
        headers: {
          ...credentials(server),
          'content-type': 'application/json',
          'content-length': length,
          expect: '100-continue',
        },
      });
      let continued = false;
      asking.on('continue', () => {
        continued = true;
        asking.end(JSON.stringify(pix()));
      });
      asking.on('error', () => undefined);
      asking.flushHeaders();
      const [response] = await once(asking, 'response');
      response.resume();
      asking.destroy();
      return [continued, response.statusCode];
    };
    expect(await announceBody(2 * MiB)).toEqual([false, 413]);
    expect(await announceBody(Buffer.byteLength(JSON.stringify(pix())))).toEqual([true, 201]);
  });

  test.each(['in process', 'over HTTP'])(
    'causes a 413 if it is one byte longer than the limit (%s)',
    async (way) => {
      const { sandbox, server } = await listening();
      const target = way === 'in process' ? sandbox : server;
      const padded = (length: number) => JSON.stringify(pix()).padEnd(length);
      expect((await pay(target, padded(MiB))).status).toBe(201);
      const reply = await pay(target, padded(MiB + 1));
      expect(reply.status).toBe(413);
      expect(reply.body.error).toMatchObject({ code: 'body_too_large', issues: [] });
      expect(sandbox.ledger.charges).toHaveLength(1);
      expect(sandbox.journal.requests).toHaveLength(1);
    },
  );

  test('is read only up to the limit if it is passed to sandbox.fetch', async () => {
    const sandbox = sandboxForTest();
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(MiB / 4));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const response = await sandbox.fetch('https://any.example/v1/payments', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(8);
    expect(cancelled).toBe(true);
  });
});

describe('the option maxBody', () => {
  const withFile = (size: number) => ({ ...naturalPerson, selfie: new Uint8Array(size) });

  test('accepts documents of 60 MB by default', async () => {
    const { sandbox, server } = await listening();
    expect((await onboard(server, withFile(60_000_000))).status).toBe(202);
    const [registration] = sandbox.control.onboarding.list();
    const { selfie } = sandbox.control.onboarding.documents(registration?.registration_id ?? '');
    expect(selfie?.size).toBe(60_000_000);
    expect((await onboard(server, withFile(70_000_000), keyNo(2))).status).toBe(413);
  });

  test.each(['in process', 'over HTTP'])('limits the size of a form sent %s', async (way) => {
    const { sandbox, server } = await listening({ maxBody: 2 * MiB });
    const target = way === 'in process' ? sandbox : server;
    expect((await onboard(target, withFile(1.9 * MiB))).status).toBe(202);
    expect((await onboard(target, withFile(2 * MiB), keyNo(2))).status).toBe(413);
    expect(sandbox.control.onboarding.list()).toHaveLength(1);
  });

  test('also limits JSON bodies if it is smaller than their default limit', async () => {
    const sandbox = sandboxForTest({ maxBody: 1_000 });
    expect((await pay(sandbox, pix())).status).toBe(201);
    expect((await pay(sandbox, JSON.stringify(pix()).padEnd(1_001))).status).toBe(413);
  });
});

describe('a form without valid credentials', () => {
  test.each(['in process', 'over HTTP'])(
    'gets a 401, and is stored in the journal only if it is small (%s)',
    async (way) => {
      const { sandbox, server } = await listening();
      const target = way === 'in process' ? sandbox : server;
      const wrong = { headers: { 'client-secret': 'wrong' }, key: keyNo(1) };
      for (const size of [10, 5 * MiB]) {
        const body = form({ ...naturalPerson, selfie: new Uint8Array(size) });
        const reply = await call(target, '/v2/submerchants/onboarding/pf', { body, ...wrong });
        expect(reply.status).toBe(401);
      }
      const [small, large] = sandbox.journal.requests;
      expect(small?.body).toMatchObject({ fullName: 'João da Silva' });
      expect(large?.body).toBeUndefined();
    },
  );

  test('has its digest in the journal', async () => {
    const sandbox = sandboxForTest();
    const bytes = Buffer.alloc(2 * MiB, '\r\n--x');
    await sandbox.fetch('https://any.example/v2/submerchants/onboarding/pf', {
      method: 'POST',
      headers: multipart,
      body: bytes,
    });
    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(sandbox.journal.requests.map(({ bodyDigest }) => bodyDigest)).toEqual([digest]);
  });

  test('gets a 401 if its access token was revoked, even if the form is large', async () => {
    const { sandbox, server } = await listening();
    const { clientId, clientSecret } = server.clientOptions();
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body } = await call(server, '/oauth/token', { body: grant });
    const submit = () =>
      fetch(`${server.url}/v2/submerchants/onboarding/pf`, {
        method: 'POST',
        headers: { authorization: `Bearer ${body.access_token}`, 'x-idempotency-key': keyNo(1) },
        body: form({ ...naturalPerson, selfie: new Uint8Array(3 * MiB) }),
      });
    sandbox.control.oauth.revokeTokens();
    expect((await submit()).status).toBe(401);
  });
});
