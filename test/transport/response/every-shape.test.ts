import { type PaymentPlatform, responseOf } from 'payment-platform';
import { describe, expect, test } from 'vitest';
import { getOperation, type OperationId } from '../../../src/contract/index.js';
import { wireForms } from '../../operations/index.js';
import { clientOn, onBothEngines } from '../../support/engines.js';
import { rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

/** Lists JSON values, each with the call's result if the API docs define no shape. */
const shapes: [name: string, text: string, delivered: unknown][] = [
  ['an object', '{"a":1}', { a: 1 }],
  ['an empty object', '{}', {}],
  ['a list', '[1,{"b":2}]', [1, { b: 2 }]],
  ['an empty list', '[]', []],
  ['a number', '12345', { value: 12345 }],
  ['a number that a double cannot hold', '9007199254740993', { value: '9007199254740993' }],
  ['a text', '"done"', { value: 'done' }],
  ['true', 'true', { value: true }],
  ['null', 'null', { value: null }],
  ['nothing', '', {}],
];

const statuses = [200, 201, 202, 203, 206, 207, 299];

const framed = {
  'a content length': (status: number, text: string) =>
    `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  chunks: (status: number, text: string) =>
    `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${
      text === '' ? '' : `${text.length.toString(16)}\r\n${text}\r\n`
    }0\r\n\r\n`,
};

const ids = Object.keys(wireForms) as OperationId[];
const isOpen = (id: OperationId) => getOperation(id).result === 'unspecified';
const call = (id: OperationId, platform: PaymentPlatform) =>
  (wireForms[id as keyof typeof wireForms] as { call: (platform: PaymentPlatform) => Promise<object> }).call(
    platform,
  );

onBothEngines((engine) => {
  describe.each(Object.entries(framed))('a response whose end is marked by %s', (_name, encode) => {
    test.each(ids.filter(isOpen))(
      'is returned by %s for every 2xx status and every JSON value (row 73)',
      async (id) => {
        let response = '';
        const server = opens(await rawServer(({ socket }) => socket.end(response)));
        const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
        for (const [name, text, delivered] of shapes) {
          for (const status of statuses) {
            response = encode(status, text);
            const result = await call(id, platform);
            expect([name, result]).toEqual([name, delivered]);
            expect(responseOf(result).status).toBe(status);
          }
        }
      },
    );

    const objects = ids.filter((id) => getOperation(id).result === 'object');
    test.each(objects)('is unreadable for %s if it is not an object (row 10)', async (id) => {
      let response = '';
      const server = opens(await rawServer(({ socket }) => socket.end(response)));
      const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
      for (const [name, text] of shapes.filter(([, text]) => !text.startsWith('{'))) {
        response = encode(200, text);
        const error: unknown = await call(id, platform).then(
          () => 'a result',
          (caught: unknown) => caught,
        );
        expect([name, error]).toEqual([name, expect.objectContaining({ name: 'UnreadableResponseError' })]);
      }
    });
  });

  test('a boleto that is not a complete PDF is returned unchanged, and reported as drift', async () => {
    const files: [type: string, text: string, drifts: number][] = [
      ['application/pdf', '%PDF-1.7\n%%EOF\n', 0],
      ['application/pdf', '%PDF-1.7\n%%EOF\ntrailing bytes', 1],
      ['text/html', '<html>boleto</html>', 1],
    ];
    for (const [type, text, expected] of files) {
      const drifts: unknown[] = [];
      const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${text.length}\r\n\r\n`;
      const server = opens(await rawServer(({ socket }) => socket.end(head + text)));
      const hooks = { onDrift: (event: unknown) => drifts.push(event) };
      const platform = opens(clientOn(engine, server.url, { hooks }));
      const file = await platform.payments.boleto('order');
      expect([file.contentType, new TextDecoder().decode(file.bytes)]).toEqual([type, text]);
      expect(drifts).toHaveLength(expected);
    }
  });

  test('a redirect is not followed, and error.location contains its address', async () => {
    const location = 'https://files.example/boleto.pdf?signature=a1b2c3';
    const head = `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
    const server = opens(await rawServer(({ socket }) => socket.end(head)));
    const platform = opens(clientOn(engine, server.url));
    const error = await platform.payments.boleto('order').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 302, location });
    const { inspect } = await import('node:util');
    expect(inspect(error) + JSON.stringify(error)).not.toContain('a1b2c3');
    expect(server.requests).toHaveLength(1);
  });
});
