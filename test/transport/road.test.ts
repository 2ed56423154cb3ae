import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { credentials } from '../support/engines.js';
import { paid, pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';
import { instrumentedSources, type Road } from '../support/road.js';

const opens = closedAfterEach();
let sources: Awaited<ReturnType<typeof instrumentedSources>>;
beforeAll(async () => {
  sources = await instrumentedSources();
});

const figures = ({ functions, files, changesOfFile, types }: Road) => {
  console.log(
    `${functions.length} functions of ${files.length} files, ${changesOfFile} changes of file, ${types.length} types\n${functions.join('\n')}\n${types.join(' ')}`,
  );
  return { functions: functions.length, files: files.length, changes: changesOfFile, types: types.length };
};

/** Creates a client that has loaded all lazy modules, and a server that returns one response. */
async function warmClient(status: number, body: object) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  opens({ close: () => void server.close() });
  const { port } = server.address() as AddressInfo;
  const platform = opens(
    new sources.PaymentPlatform({ baseUrl: `http://127.0.0.1:${port}`, ...credentials, maxRetries: 0 }),
  );
  const pay = () => platform.payments.create(pix).catch((error: Error) => error);
  await pay();
  return pay;
}

describe('after one call to load the modules', () => {
  test('a call to payments.create that gets a 200 runs at most 88 functions from 20 files', async () => {
    const pay = await warmClient(200, paid);
    const { functions, files, changes, types } = figures(await sources.recordRoad(pay));
    expect(functions).toBeGreaterThan(40);
    expect(functions).toBeLessThanOrEqual(88);
    expect(files).toBeLessThanOrEqual(20);
    expect(changes).toBeLessThanOrEqual(54);
    expect(types).toBeLessThanOrEqual(45);
  });

  test('a call to payments.create that gets a 400 runs functions from at most 29 files', async () => {
    const pay = await warmClient(400, { code: 'invalid', message: 'Valor inválido' });
    const { files } = figures(await sources.recordRoad(pay));
    expect(files).toBeGreaterThan(18);
    expect(files).toBeLessThanOrEqual(29);
  });

  test('one webhook delivery runs functions from at most 13 files', async () => {
    const secret = 'a-secret-of-16-characters';
    const receiver = sources.createReceiver({ secret, on: { 'transaction.paid': () => {} } });
    const signed = (id: string) => {
      const body = JSON.stringify({ ...paid, event: 'transaction.paid', id });
      return { body, headers: { ...sources.sign({ body, secret }) } };
    };
    const deliver = async ({ body, headers }: ReturnType<typeof signed>) => {
      const response = await receiver.fetch(
        new Request('http://shop.example/', { method: 'POST', body, headers }),
      );
      expect(response.status).toBe(200);
    };
    await deliver(signed('0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b'));
    const next = signed('1b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b');
    const { files } = figures(await sources.recordRoad(() => deliver(next)));
    expect(files).toBeGreaterThan(6);
    expect(files).toBeLessThanOrEqual(13);
  });
});
