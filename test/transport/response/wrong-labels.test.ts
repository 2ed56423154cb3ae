import zlib from 'node:zlib';
import { type DriftEvent, type PaymentPlatformError, rawBodyOf } from 'payment-platform';
import { expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

const payment = { ...paid, customer: { name: 'João' } };
const json = JSON.stringify(payment);
const latin1 = Buffer.from(json, 'latin1');
const utf16 = Buffer.from(json, 'utf16le');

onBothEngines((engine) => {
  /** Creates a client of a server with one fixed response, and collects its onDrift events. */
  async function createClient(body: string | Buffer, headers: Record<string, string>, { status = 201 } = {}) {
    const drifts: DriftEvent[] = [];
    const server = opens(
      await rawServer(({ socket }) => socket.write(formatResponse(body, { status, headers }))),
    );
    const hooks = { onDrift: (event: DriftEvent) => void drifts.push(event) };
    return { server, drifts, platform: opens(clientOn(engine, server.url, { hooks })) };
  }
  const headerDrifts = (drifts: readonly DriftEvent[]) =>
    drifts.flatMap(({ issues }) => issues.map(({ path }) => path).filter((path) => /^headers\./.test(path)));

  /**
   * True for the Node engine, which reads more responses. The runtime's fetch can fail before the SDK sees
   * their bytes.
   */
  const onlyNode = engine === 'node';

  const coded: [name: string, coding: string, body: string | Buffer, drifts: boolean][] = [
    ['UTF-8 (a charset)', 'UTF-8', json, true],
    ['UTF-8 over gzip', 'gzip, UTF-8', zlib.gzipSync(json), true],
    ['an unknown coding over gzip', 'x-odd', zlib.gzipSync(json), true],
    ['an unknown coding over raw deflate', 'x-odd', zlib.deflateRawSync(json), true],
    ['two codings', 'deflate, gzip', zlib.gzipSync(zlib.deflateSync(json)), false],
    ['three codings', 'br, identity, GZIP', zlib.gzipSync(zlib.brotliCompressSync(json)), false],
    ['deflate', 'deflate', zlib.deflateSync(json), false],
    ['brotli', 'br', zlib.brotliCompressSync(json), false],
    ['"" (empty)', '', json, false],
    ['identity', 'identity', json, false],
  ];
  test.each(coded)(
    'a response is read without a retry if its Content-Encoding is %s (row 11)',
    async (...row) => {
      const [, coding, body, isOdd] = row;
      const { server, drifts, platform } = await createClient(body, { 'content-encoding': coding });
      await expect(platform.payments.create(pix)).resolves.toEqual(payment);
      expect(server.requests).toHaveLength(1);
      expect(headerDrifts(drifts)).toEqual(isOdd ? ['headers.content-encoding'] : []);
    },
  );

  test('raw deflate that is labelled as deflate is read without a retry (row 11)', async () => {
    const body = zlib.deflateRawSync(json);
    const { server, drifts, platform } = await createClient(body, { 'content-encoding': 'deflate' });
    await expect(platform.payments.create(pix)).resolves.toEqual(payment);
    expect(server.requests).toHaveLength(1);
    // fetch does not report that it has corrected the name.
    expect(headerDrifts(drifts)).toEqual(onlyNode ? ['headers.content-encoding'] : []);
  });

  const wrong: [name: string, coding: string, body: string | Buffer][] = [
    ['plain JSON labelled as gzip', 'gzip', json],
    ['plain JSON labelled as deflate', 'deflate', json],
    ['plain JSON labelled as brotli', 'br', json],
    ['raw deflate labelled as gzip', 'gzip', zlib.deflateRawSync(json)],
    ['zlib labelled as gzip', 'gzip', zlib.deflateSync(json)],
    ['gzip labelled as double gzip', 'gzip, gzip', zlib.gzipSync(json)],
  ];
  test.each(wrong)(
    '%s is read on the node engine, but is unreadable and not retried on the ky engine (row 11)',
    async (...row) => {
      const [, coding, body] = row;
      const { server, drifts, platform } = await createClient(body, { 'content-encoding': coding });
      const call = platform.payments.create(pix);
      if (onlyNode) {
        await expect(call).resolves.toEqual(payment);
        expect(headerDrifts(drifts)).toEqual(['headers.content-encoding']);
      } else {
        const error = await catchError<PaymentPlatformError>(call);
        expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown', attempts: 1 });
        expect(error.message).toContain('content-encoding');
      }
      expect(server.requests).toHaveLength(1);
    },
  );

  test('a truncated gzip file is rejected on the node engine, but only reported as drift on the ky engine (rows 9 and 11)', async () => {
    const pdf = zlib.gzipSync(`%PDF-1.7\n${'a line of the file\n'.repeat(200)}%%EOF\n`);
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/pdf' };
    const { platform, drifts } = await createClient(pdf.subarray(0, 40), headers, { status: 200 });
    const call = platform.payments.boleto(paid.id);
    // fetch returns the part that it could read, without an error.
    if (!onlyNode) await call.then(() => expect(drifts).toHaveLength(1));
    else expect(await catchError(call)).toMatchObject({ name: 'UnreadableResponseError' });
  });

  test('a request asks for a response that is not compressed', async () => {
    const { server, platform } = await createClient(json, {});
    await platform.payments.create(pix);
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  const charsets: [type: string, body: Buffer, drifts: boolean][] = [
    ['application/json; charset=ISO-8859-1', latin1, false],
    ['application/json;charset="iso-8859-1"', latin1, false],
    ['application/json; profile=x; Charset = windows-1252', latin1, false],
    ['application/json; charset=utf-16le', utf16, false],
    ['application/json', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), false],
    ['application/json; charset=utf8', Buffer.from(json), false],
    ['application/json; charset=no-such-charset', Buffer.from(json), true],
    ['application/json; charset=no-such-charset', latin1, true],
    ['application/json; charset=utf-8', latin1, true],
    ['application/json', latin1, true],
  ];
  test.each(charsets)(
    'a payment with an accent is read without a retry if its content type is %s (row 11)',
    async (type, body, isOdd) => {
      const { server, drifts, platform } = await createClient(body, { 'content-type': type });
      await expect(platform.payments.create(pix)).resolves.toEqual(payment);
      expect(server.requests).toHaveLength(1);
      expect(headerDrifts(drifts)).toEqual(isOdd ? ['headers.content-type'] : []);
    },
  );

  test.each(charsets.slice(0, 3))(
    'an error shows the accents of a response with the content type %s (row 11)',
    async (type) => {
      const body = Buffer.from('{"message":"Cartão não é válido","code":"invalid_card"}', 'latin1');
      const { platform } = await createClient(body, { 'content-type': type }, { status: 400 });
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(rawBodyOf(error)).toEqual({ message: 'Cartão não é válido', code: 'invalid_card' });
    },
  );

  test('an error shows the accents of a plain-text response in ISO-8859-1 (row 11)', async () => {
    const body = Buffer.from('Serviço indisponível', 'latin1');
    const headers = { 'content-type': 'text/plain; charset=iso-8859-1' };
    const { platform } = await createClient(body, headers, { status: 400 });
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(rawBodyOf(error)).toBe('Serviço indisponível');
  });
});
