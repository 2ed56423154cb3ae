import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { DoctorReceiver } from '../../sandbox/doctor/receiver.js';
import { createSandbox, type SandboxOptions, testCards } from '../../sandbox/index.js';
import type { Need } from '../../tools/conformance/statement.js';
import { check, type Row } from '../../tools/conformance/suite.js';

const everything = new Set<Need>(['read', 'write', 'charge', 'receive']);

async function listRows(options: SandboxOptions = {}, allowed = everything): Promise<Row[]> {
  const sandbox = createSandbox(options);
  const server = await sandbox.listen();
  const receiver = await DoctorReceiver.start(http, 0);
  try {
    return await check(
      { ...server.clientOptions(), card: testCards.approved, wait: () => sandbox.clock.advance('1m') },
      allowed,
      receiver,
    );
  } finally {
    receiver.close();
    await sandbox.close();
  }
}

const withOutcome = (rows: readonly Row[], ...outcomes: readonly Row['outcome'][]) =>
  rows
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(({ statement, seen }) => `${statement}: ${seen}`);

test('the sandbox meets every conformance statement, and every assumption of the SDK', async () => {
  const rows = await listRows();
  expect(withOutcome(rows, 'differs', 'assumption differs', 'skipped')).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
});

test('a platform that always responds with {} meets only the statements that {} satisfies', async () => {
  const server = http.createServer(
    (request, response) => void request.resume().on('end', () => response.end('{}')),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const rows = await check(
    {
      baseUrl: `http://127.0.0.1:${port}`,
      clientId: 'id',
      clientSecret: 'secret',
      card: testCards.approved,
      wait: () => Promise.resolve(),
    },
    new Set<Need>(['read', 'write', 'charge']),
    undefined,
  );
  server.close();
  expect(rows.filter(({ outcome }) => outcome === 'holds').map(({ statement }) => statement)).toEqual([
    'The token is sent as Authorization: Bearer',
    'POST /v1/vault/tokenize exists',
    'An update of one field is accepted',
  ]);
});

test('the conformance checks create nothing and charge nothing if they are only allowed to read', async () => {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  const rows = await check(
    { ...server.clientOptions(), card: testCards.approved, wait: () => sandbox.clock.advance('1m') },
    new Set<Need>(['read']),
    undefined,
  );
  expect(withOutcome(rows, 'differs', 'assumption differs')).toEqual([]);
  expect(withOutcome(rows, 'skipped').length).toBeGreaterThan(15);
  expect(sandbox.ledger.charges).toEqual([]);
  expect(sandbox.webhooks.endpoints).toEqual([]);
  expect([sandbox.control.submerchants.list(), sandbox.control.onboarding.list()]).toEqual([[], []]);
  expect(sandbox.control.domains.list()).toEqual([]);
  await sandbox.close();
});

test('the conformance report separates differences from the API docs and differences from the SDK’s assumptions', async () => {
  const rows = await listRows({ rateLimits: false, signature: { encoding: 'base64' } });
  expect(withOutcome(rows, 'differs')).toEqual([
    expect.stringContaining('More than 30 calls of the vault a minute get a 429: no 429'),
    expect.stringContaining('More than 10 calls a minute for sub-accounts get a 429: 404, 404'),
  ]);
  expect(withOutcome(rows, 'assumption differs')).toEqual([
    expect.stringContaining('The signature is hexadecimal, and the timestamp in seconds: not hex'),
  ]);
});
