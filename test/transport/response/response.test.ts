import zlib from 'node:zlib';
import { type PaymentPlatformError, responseOf, UnreadableResponseError } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { openCard, paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const body = JSON.stringify(paid);

onBothEngines((engine) => {
  /** Creates a client of a server that sends these bytes for every request, and optionally hangs up. */
  const createClient = async (bytes: Buffer | string, { hangUp = false, options = {} } = {}) => {
    const server = opens(
      await rawServer(({ socket }) => {
        if (hangUp) socket.end(bytes);
        else socket.write(bytes);
      }),
    );
    return { server, platform: opens(clientOn(engine, server.url, options)) };
  };

  /** Expects an unreadable payment response to mean an unknown outcome, and a retry only with a key. */
  const expectUnreadable = async (bytes: Buffer | string, { hangUp = false, attempts = 3 } = {}) => {
    const { server, platform } = await createClient(bytes, { hangUp });
    const keyed = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(keyed).toBeInstanceOf(UnreadableResponseError);
    expect(keyed).toMatchObject({ outcome: 'unknown', attempts });
    expect(server.requests).toHaveLength(attempts);
    const unkeyed = await catchError<PaymentPlatformError>(
      platform.payments.create(pix, { idempotencyKey: null }),
    );
    expect(unkeyed).toBeInstanceOf(UnreadableResponseError);
    expect(unkeyed).toMatchObject({ outcome: 'unknown', attempts: 1 });
    return keyed;
  };

  describe('an incomplete response to a payment (row 9)', () => {
    test('is unreadable if its body is shorter than its content-length', async () => {
      await expectUnreadable(formatResponse(body.slice(0, 40), { length: body.length }), { hangUp: true });
    });

    test('is unreadable if its chunked body has no end', async () => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
      await expectUnreadable(`${head}${body.length.toString(16)}\r\n${body}\r\n`, { hangUp: true });
    });

    test('makes the outcome unknown if it is an error response, and the error has its status', async () => {
      const { platform } = await createClient(formatResponse('{"mess', { status: 400, length: 100 }), {
        hangUp: true,
      });
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toMatchObject({
        name: 'BadRequestError',
        status: 400,
        outcome: 'unknown',
        attempts: 1,
      });
    });

    test('is retried, and the call returns the complete response', async () => {
      const server = opens(
        await rawServer(({ socket, index }) => {
          if (index === 0) socket.end(formatResponse(body.slice(0, 40), { length: body.length }));
          else socket.write(formatResponse(body));
        }),
      );
      const payment = await opens(clientOn(engine, server.url)).payments.create(pix);
      expect(payment).toEqual(paid);
      expect(responseOf(payment)).toMatchObject({ attempts: 2, status: 200 });
      expect(server.requests[1]?.text).toBe(server.requests[0]?.text);
    });
  });

  test('the body 12 without a Content-Length is unreadable, because more digits could follow (row 10)', async () => {
    await expectUnreadable(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n12',
      { hangUp: true },
    );
  });

  test('a boleto without a Content-Length is rejected if it is truncated, and returned if it is complete (row 10)', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\nconnection: close\r\n\r\n';
    const cut = await createClient(`${head}%PDF-1.7\n1 0 obj`, { hangUp: true });
    const error = await catchError<PaymentPlatformError>(cut.platform.payments.boleto(paid.id));
    expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'not-executed', attempts: 3 });
    const whole = await createClient(`${head}%PDF-1.7\n1 0 obj\n%%EOF\n`, { hangUp: true });
    await expect(whole.platform.payments.boleto(paid.id)).resolves.toMatchObject({
      contentType: 'application/pdf',
    });
  });

  describe('a 2xx body (row 11)', () => {
    test('is unreadable if it is invalid JSON', async () => {
      const error = await expectUnreadable(formatResponse('{"id": nope}'));
      expect(error.message).toContain('not JSON');
    });

    test('is unreadable if it is JSON in neither UTF-8 nor Windows-1252', async () => {
      const invalid = Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xff, 0xfe])]);
      const error = await expectUnreadable(formatResponse(invalid));
      expect(error.message).toContain('UTF-8');
    });

    test('is read if it begins with a byte order mark', async () => {
      const { platform } = await createClient(formatResponse(`\uFEFF${body}`));
      await expect(platform.payments.create(pix)).resolves.toEqual(paid);
    });

    test('is unreadable if it is labelled as gzip, but is neither gzip nor JSON', async () => {
      // fetch decodes the body itself, so a retry would meet the same wrong encoding.
      const attempts = engine === 'node' ? 3 : 1;
      const headers = { 'content-encoding': 'gzip' };
      await expectUnreadable(formatResponse('not gzip at all', { headers }), { attempts });
    });

    test('is read if it is labelled as gzip and is gzip', async () => {
      const { platform } = await createClient(
        formatResponse(zlib.gzipSync(body), { headers: { 'content-encoding': 'gzip' } }),
      );
      await expect(platform.payments.create(pix)).resolves.toEqual(paid);
    });
  });

  describe('an HTML page as the response (row 12)', () => {
    const page = `<html><body>Welcome. Card 4111 1111 1111 1111 and 737, secret sk_live_canary_4f9a1c</body></html>`;

    test('is unreadable with a 200, and the snippet in the error contains no secret', async () => {
      const { platform } = await createClient(
        formatResponse(page, { headers: { 'content-type': 'text/html' } }),
      );
      const options = { idempotencyKey: 'order-1042' };
      const error = await catchError<PaymentPlatformError>(platform.payments.create(openCard, options));
      expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown', attempts: 3 });
      expect(error.body?.message).toContain('Welcome');
      expect(JSON.stringify(error)).not.toMatch(/4111|737|canary/);
    });

    test('is classified by its status if that is a 503', async () => {
      const { platform } = await createClient(
        formatResponse(page, { status: 503, headers: { 'content-type': 'text/html' } }),
      );
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toMatchObject({ name: 'ServerError', status: 503, outcome: 'unknown', attempts: 3 });
    });

    test('is not assumed if the body is JSON with the content type text/plain', async () => {
      const { platform } = await createClient(
        formatResponse(body, { headers: { 'content-type': 'text/plain' } }),
      );
      await expect(platform.payments.create(pix)).resolves.toEqual(paid);
    });
  });

  describe('a response without the expected body (row 13)', () => {
    test('is unreadable if it is an empty 200', async () => {
      const error = await expectUnreadable(formatResponse(''));
      expect(error.message).toContain('empty');
    });

    test.each([204, 205])('is unreadable if it is a %i', async (status) => {
      await expectUnreadable(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    });

    test('is unreadable if it contains an array or a bare value instead of an object', async () => {
      await expectUnreadable(formatResponse('[]'));
      await expectUnreadable(formatResponse('null'));
    });

    test('is skipped if it is an interim response before the final one', async () => {
      const { platform } = await createClient(
        Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), formatResponse(body)]),
      );
      await expect(platform.payments.create(pix)).resolves.toEqual(paid);
    });

    test('makes the outcome unknown if it is a 101 that the client did not request', async () => {
      const { platform } = await createClient(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      );
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix, { timeout: 2_000 }));
      expect(error).toMatchObject({ outcome: 'unknown' });
    });

    test('is accepted if the option response is none', async () => {
      const { platform } = await createClient('HTTP/1.1 204 No Content\r\n\r\n');
      const result = await platform.request({ method: 'DELETE', path: '/v1/webhooks/1', response: 'none' });
      expect(result).toEqual({});
      expect(responseOf(result).status).toBe(204);
    });
  });

  describe('a response with a body (row 15)', () => {
    test('of 10 MB is accepted', async () => {
      const large = JSON.stringify({ ...paid, padding: 'x'.repeat(10_000_000 - body.length - 13) });
      expect(large).toHaveLength(10_000_000);
      const { platform } = await createClient(formatResponse(large));
      await expect(platform.payments.create(pix)).resolves.toMatchObject(paid);
    });

    test('of more than 10 MB is rejected as unreadable, and the call is not retried', async () => {
      const error = await expectUnreadable(formatResponse(`"${'x'.repeat(11_000_000)}"`), { attempts: 1 });
      expect(error.message).toContain('larger');
    });

    test('in gzip that expands to 200 MB is rejected as unreadable, and the call is not retried', async () => {
      const bomb = zlib.gzipSync(Buffer.alloc(200_000_000));
      await expectUnreadable(formatResponse(bomb, { headers: { 'content-encoding': 'gzip' } }), {
        attempts: 1,
      });
    });

    test('of 100,000 nested brackets is rejected as unreadable, and the call is not retried', async () => {
      const error = await expectUnreadable(
        formatResponse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
        {
          attempts: 1,
        },
      );
      expect(error.message).toContain('nests');
    });

    test('that has many brackets inside a string is accepted', async () => {
      const { platform } = await createClient(
        formatResponse(JSON.stringify({ ...paid, note: `"\\${'['.repeat(1000)}` })),
      );
      await expect(platform.payments.create(pix)).resolves.toMatchObject(paid);
    });
  });
});
